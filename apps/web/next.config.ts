import path from 'node:path';
import createMdx from '@next/mdx';
import type { NextConfig } from 'next';
import { alwaysSaid } from './server/security-headers.ts';

/** Pages of the documentation are MDX, compiled when the app is built. Turbopack wants plugins by name or path. */
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
  // Drivers that read files or load natively: left to Node.
  serverExternalPackages: ['pg', 'pdfkit', 'pino', 'nodemailer', '@prisma/client', '@prisma/adapter-pg'],
  turbopack: { root: path.join(import.meta.dirname, '../..') },
  outputFileTracingRoot: path.join(import.meta.dirname, '../..'),
  // Types have a command of their own (`pnpm types`), which checks the whole workspace.
  typescript: { ignoreBuildErrors: true },
  async redirects() {
    // People shorten addresses. The list of clusters is the dashboard itself.
    return [{ source: '/app/clusters', destination: '/app', permanent: false }];
  },
  async headers() {
    return [
      {
        source: '/:path*',
        // The Content-Security-Policy comes from proxy.ts: it differs with each answer.
        headers: Object.entries(alwaysSaid).map(([key, value]) => ({ key, value })),
      },
    ];
  },
};

export default withMdx(config);
