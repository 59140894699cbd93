import path from 'node:path';
import createMdx from '@next/mdx';
import type { NextConfig } from 'next';
import { deploymentId } from './server/deployment-id.ts';
import { alwaysSaid } from './server/security-headers.ts';

/** Documentation pages are MDX, compiled at build time. Turbopack needs plugins by name or path. */
const withMdx = createMdx({
  options: {
    remarkPlugins: ['remark-gfm', path.join(import.meta.dirname, 'features/docs/mdx/remark-docs.mjs')],
  },
});

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Workspace packages export their TypeScript source.
  transpilePackages: [
    '@penstock/api',
    '@penstock/billing',
    '@penstock/charts',
    '@penstock/clusters',
    '@penstock/database',
    '@penstock/metadata-protocol',
    '@penstock/platform',
    '@penstock/pricing',
    '@penstock/tenancy',
    '@penstock/telemetry',
    '@penstock/health',
    '@penstock/identity',
    '@penstock/lifecycle',
    '@penstock/ui',
    '@penstock/units',
  ],
  // Drivers that read files or load native code: not bundled.
  serverExternalPackages: ['pg', 'pdfkit', 'pino', 'nodemailer', '@prisma/client', '@prisma/adapter-pg'],
  turbopack: { root: path.join(import.meta.dirname, '../..') },
  outputFileTracingRoot: path.join(import.meta.dirname, '../..'),
  // `pnpm types` checks the types of the whole workspace.
  typescript: { ignoreBuildErrors: true },
  async redirects() {
    // Redirects for shortened URLs. The dashboard's first page is the list of clusters.
    return [{ source: '/app/clusters', destination: '/app', permanent: false }];
  },
  async headers() {
    return [
      {
        source: '/:path*',
        // proxy.ts sets the Content-Security-Policy, because it differs per response.
        headers: Object.entries(alwaysSaid).map(([key, value]) => ({ key, value })),
      },
    ];
  },
};

export default function configure(phase: string): NextConfig {
  // Next loads a page of another deployment anew, instead of mixing its parts with ours.
  return withMdx({ ...config, ...deploymentId(phase, import.meta.dirname) });
}
