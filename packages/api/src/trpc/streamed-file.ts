// A file that is made while it is sent: nothing holds all of it at once.

export interface StreamedFile {
  fileName: string;
  contentType: string;
  pieces: AsyncIterable<string>;
}

/**
 * The answer that sends a file. The first piece is made before, so that what refuses it is still answered as a refusal; a
 * failure after that breaks the connection off, and whoever reads sees that the file is not whole.
 */
export async function respondWithFile({ fileName, contentType, pieces }: StreamedFile): Promise<Response> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next: IteratorResult<string> | undefined = await iterator.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = next ?? (await iterator.next());
      next = undefined;
      if (step.done === true) controller.close();
      else controller.enqueue(encoder.encode(step.value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
      // What an organization did, and who is in it: no cache on the way may keep it.
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
