// A stand-in for Google Cloud Storage, in memory: the requests of its XML API that the agent's client library sends, with the
// preconditions that agents rely on. https://cloud.google.com/storage/docs/xml-api/overview
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CloudServer } from './cloud-server.ts';

const BUCKET = 'penstock-records';

interface StoredObject {
  body: Buffer;
  generation: number;
  modified: Date;
}

/** Upload id to the parts by number. */
type Uploads = Map<string, Map<number, Buffer>>;

export async function startGoogleServer(): Promise<CloudServer> {
  const objects = new Map<string, StoredObject>();
  const uploads: Uploads = new Map();
  let generation = 1;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [bucket, name] = splitPath(url.pathname);
    const body = await bodyOf(request);
    if (bucket !== BUCKET) {
      return refuse(response, 404, 'NoSuchBucket');
    }
    if (name === '') {
      return list(response, url.searchParams.get('prefix') ?? '', objects);
    }
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) {
      const whole = upload(request, response, { url, name, body, uploads });
      if (whole !== undefined) {
        generation += 1;
        objects.set(name, { body: whole, generation, modified: new Date() });
      }
      return;
    }
    const found = objects.get(name);
    switch (request.method) {
      case 'PUT': {
        const wanted = request.headers['x-goog-if-generation-match'];
        if (wanted !== undefined && wanted !== String(found?.generation ?? 0)) {
          return refuse(response, 412, 'PreconditionFailed');
        }
        generation += 1;
        const stored = { body, generation, modified: new Date() };
        objects.set(name, stored);
        return answer(response, 200, '', headersOf(stored));
      }
      case 'GET':
      case 'HEAD':
        return found === undefined ? refuse(response, 404, 'NoSuchKey') : read(request, response, found);
      case 'DELETE':
        return objects.delete(name) ? answer(response, 204) : refuse(response, 404, 'NoSuchKey');
      default:
        return refuse(response, 405, 'MethodNotAllowed');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const account = {
    private_key: 'none',
    private_key_id: 'none',
    client_email: 'test@example.com',
    disable_oauth: true,
  };
  return {
    agent: {
      bucket: `gs://${BUCKET}/records?endpoint=http://127.0.0.1:${port}`,
      env: { GOOGLE_SERVICE_ACCOUNT_KEY: JSON.stringify(account) },
    },
    objects: () => Promise.resolve([...objects.keys()]),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function splitPath(pathname: string): [bucket: string, name: string] {
  const [, bucket = '', ...rest] = pathname.split('/').map(decodeURIComponent);
  return [bucket, rest.join('/')];
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function etagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function headersOf({ body, generation, modified }: StoredObject): Record<string, string> {
  return {
    etag: etagOf(body),
    'x-goog-generation': String(generation),
    'last-modified': modified.toUTCString(),
  };
}

function answer(
  response: ServerResponse,
  status: number,
  body: string | Buffer = '',
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  answer(response, status, `<?xml version='1.0'?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function read(request: IncomingMessage, response: ServerResponse, found: StoredObject): void {
  const headers = headersOf(found);
  const { length } = found.body;
  if (request.method === 'HEAD') {
    response.writeHead(200, { ...headers, 'content-length': length });
    response.end();
    return;
  }
  const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
  if (range === null) {
    answer(response, 200, found.body, headers);
    return;
  }
  const [, from = '', to = ''] = range;
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (first > last) {
    refuse(response, 416, 'InvalidRange');
    return;
  }
  const part = found.body.subarray(first, last + 1);
  answer(response, 206, part, { ...headers, 'content-range': `bytes ${first}-${last}/${length}` });
}

function list(response: ServerResponse, prefix: string, objects: ReadonlyMap<string, StoredObject>): void {
  const contents = [...objects]
    .filter(([name]) => name.startsWith(prefix))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, { body, modified }]) =>
        `<Contents><Key>${name}</Key><LastModified>${modified.toISOString()}</LastModified>` +
        `<ETag>${etagOf(body)}</ETag><Size>${body.length}</Size></Contents>`,
    );
  answer(response, 200, `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`);
}

/** A step of an upload in parts. Returns the whole object at the end. */
function upload(
  request: IncomingMessage,
  response: ServerResponse,
  { url, name, body, uploads }: { url: URL; name: string; body: Buffer; uploads: Uploads },
): Buffer | undefined {
  const uploadId = url.searchParams.get('uploadId');
  if (uploadId === null) {
    const id = `upload-${uploads.size + 1}`;
    uploads.set(id, new Map());
    const result = `<Bucket>${BUCKET}</Bucket><Key>${name}</Key><UploadId>${id}</UploadId>`;
    answer(response, 200, `<InitiateMultipartUploadResult>${result}</InitiateMultipartUploadResult>`);
    return undefined;
  }
  const parts = uploads.get(uploadId);
  if (parts === undefined) {
    refuse(response, 404, 'NoSuchUpload');
    return undefined;
  }
  switch (request.method) {
    case 'PUT':
      parts.set(Number(url.searchParams.get('partNumber')), body);
      answer(response, 200, '', { etag: etagOf(body) });
      return undefined;
    case 'POST': {
      uploads.delete(uploadId);
      const whole = Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part));
      const result = `<Bucket>${BUCKET}</Bucket><Key>${name}</Key><ETag>${etagOf(whole)}</ETag>`;
      answer(response, 200, `<CompleteMultipartUploadResult>${result}</CompleteMultipartUploadResult>`);
      return whole;
    }
    default:
      uploads.delete(uploadId);
      answer(response, 204);
      return undefined;
  }
}
