import { readFileSync } from 'node:fs';

/** The description that a running system writes of itself. */
export interface Started {
  webUrl: string;
  metadataUrl: string;
  kafkaBootstrap: string | undefined;
  demo: { email: string; password: string; clusterId: string };
}

function text(source: object, name: string, file: string): string {
  const value: unknown = Reflect.get(source, name);
  if (typeof value !== 'string' || value === '') {
    throw new Error(`${file} holds no ${name}: is the system that wrote it an embedded one?`);
  }
  return value;
}

/** @throws Error when PENSTOCK_E2E_STARTED names no running system */
export function readStarted(): Started {
  const file = process.env['PENSTOCK_E2E_STARTED'] ?? '';
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`No running system found at ${file}. Start one with npm start, then run these tests again.`, {
      cause,
    });
  }
  const demo: unknown = typeof content === 'object' && content !== null ? Reflect.get(content, 'demo') : undefined;
  if (typeof content !== 'object' || content === null || typeof demo !== 'object' || demo === null) {
    throw new Error(`${file} holds no demo login: is the system that wrote it an embedded one?`);
  }
  const bootstrap: unknown = Reflect.get(content, 'kafkaBootstrap');
  return {
    webUrl: text(content, 'webUrl', file),
    metadataUrl: text(content, 'metadataUrl', file),
    kafkaBootstrap: typeof bootstrap === 'string' ? bootstrap : undefined,
    demo: {
      email: text(demo, 'email', file),
      password: text(demo, 'password', file),
      clusterId: text(demo, 'clusterId', file),
    },
  };
}
