// How the web app and the worker connect to the metadata service's port for the control plane when that port has TLS. The files are read
// again for each new connection, so that certificates are replaced without a restart.
import { readFileSync } from 'node:fs';
import type { SecureClientSessionOptions } from 'node:http2';
import { AppError, secretsVariable } from '@penstock/platform';
import { z } from 'zod';

const file = z.string().optional();

/** Signs the tokens of calls to the metadata service. */
export const adminKeysVariable = secretsVariable.meta({
  description: 'Sign and verify the tokens of calls to the metadata service: `id:secret`, separated by commas.',
  isSecret: true,
});

export const adminTlsVariables = {
  PENSTOCK_METADATA_ADMIN_CA: file.meta({
    description: "A file with the authority of the metadata service's certificates, in PEM.",
    defaultText: 'the authorities that Node trusts',
  }),
  PENSTOCK_METADATA_ADMIN_CLIENT_CERT: file.meta({
    description: "A file with this program's own certificate, in PEM, for mutual TLS.",
  }),
  PENSTOCK_METADATA_ADMIN_CLIENT_KEY: file.meta({ description: 'A file with the key of that certificate, in PEM.' }),
};

/** Paths of PEM files for TLS. */
export interface AdminTlsFiles {
  caFile: string | undefined;
  client: { certFile: string; keyFile: string } | undefined;
}

/** @throws AppError `environment_invalid` when only one of certificate and key is set */
export function adminTlsFiles(settings: z.infer<z.ZodObject<typeof adminTlsVariables>>): AdminTlsFiles {
  const {
    PENSTOCK_METADATA_ADMIN_CA: caFile,
    PENSTOCK_METADATA_ADMIN_CLIENT_CERT: certFile,
    PENSTOCK_METADATA_ADMIN_CLIENT_KEY: keyFile,
  } = settings;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'environment_invalid',
      message:
        'The environment is not usable: PENSTOCK_METADATA_ADMIN_CLIENT_CERT and PENSTOCK_METADATA_ADMIN_CLIENT_KEY go together.',
      remedy: 'Set both or neither, and start again.',
    });
  }
  return { caFile, client: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile } };
}

/** Options of connections. Node reads each property when it opens one. */
export function connectionOptions({ caFile, client }: AdminTlsFiles): SecureClientSessionOptions {
  const content = (path: string | undefined): Buffer | undefined =>
    path === undefined ? undefined : readFileSync(path);
  return {
    get ca() {
      return content(caFile);
    },
    get cert() {
      return content(client?.certFile);
    },
    get key() {
      return content(client?.keyFile);
    },
  };
}
