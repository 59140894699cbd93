// A file that is made while it is sent: nothing holds all of it at once.

export interface StreamedFile {
  fileName: string;
  contentType: string;
  pieces: AsyncIterable<string>;
}

/** A file whose first piece has been made. */
export interface BegunFile {
  headers: Record<string, string>;
  pieces: AsyncIterableIterator<string>;
}

/**
 * Makes the first piece before anything is answered, so that what refuses it is still answered as a refusal; a failure after
 * that breaks the connection off, and whoever reads sees that the file is not whole.
 */
export async function beginFile({ fileName, contentType, pieces }: StreamedFile): Promise<BegunFile> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<string> | undefined = await iterator.next();
  return {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
      // What an organization did, and who is in it: no cache on the way may keep it.
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
    pieces: {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        const step = first ?? (await iterator.next());
        first = undefined;
        return step;
      },
      async return() {
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    },
  };
}

/** The answer that sends a file to a browser. */
export async function respondWithFile(file: StreamedFile): Promise<Response> {
  const { headers, pieces } = await beginFile(file);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = await pieces.next();
      if (step.done === true) {
        controller.close();
      } else {
        controller.enqueue(encoder.encode(step.value));
      }
    },
    async cancel() {
      await pieces.return?.();
    },
  });
  return new Response(body, { headers });
}
