// Reads what an operation returns as its caller would: files to their end, streams to their first event.
import { toTrpcError } from '../trpc/errors.ts';

/** Reads what a call returns to its end: files and streams begin with the first piece. */
export async function readAll(answer: unknown): Promise<unknown> {
  if (typeof answer === 'object' && answer !== null && 'pieces' in answer) {
    return readPieces(answer.pieces as AsyncIterable<string>);
  }
  if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer) {
    for await (const event of answer as AsyncIterable<unknown>) {
      return event;
    }
  }
  return answer;
}

async function readPieces(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  try {
    for await (const piece of pieces) {
      text += piece;
    }
  } catch (error) {
    throw toTrpcError(error);
  }
  return text;
}
