// A file that is generated while it is sent, so that it is never in memory as a whole.

export interface StreamedFile {
  fileName: string;
  contentType: string;
  pieces: AsyncIterable<string>;
}

/** A file whose first chunk is ready. */
export interface BegunFile {
  headers: Record<string, string>;
  pieces: AsyncIterableIterator<string>;
}

/**
 * Generates the first chunk before responding, so that a refusal can still become an error response. A later failure
 * breaks the connection, which shows the reader that the file is incomplete.
 */
export async function beginFile({ fileName, contentType, pieces }: StreamedFile): Promise<BegunFile> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<string> | undefined = await iterator.next();
  return {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
      // Contains an organization's activity and members, so no cache may store it.
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

/** The response that sends a file to a browser. */
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
