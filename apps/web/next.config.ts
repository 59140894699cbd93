import path from 'node:path';
import type { NextConfig } from 'next';

/** Everything comes from this origin. Next's own bootstrap and its styles are inline, hence 'unsafe-inline'. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline'${process.env['NODE_ENV'] === 'development' ? " 'unsafe-eval'" : ''}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  // Workspace packages export their TypeScript source.
  transpilePackages: [
    '@penstock/api',
    '@penstock/billing',
    '@penstock/charts',
    '@penstock/database',
    '@penstock/metadata-protocol',
    '@penstock/platform',
    '@penstock/pricing',
    '@penstock/services',
    '@penstock/ui',
    '@penstock/units',
  ],
  // Drivers that read files or load natively: left to Node.
  serverExternalPackages: ['pg', 'pdfkit', 'pino', 'nodemailer', '@prisma/client', '@prisma/adapter-pg'],
  turbopack: { root: path.join(import.meta.dirname, '../..') },
  outputFileTracingRoot: path.join(import.meta.dirname, '../..'),
  // Types have a command of their own (`pnpm types`), which checks the whole workspace.
  typescript: { ignoreBuildErrors: true },
  async headers() {
    return [
      {
        source: '/:path*',
        headers: [
          { key: 'Content-Security-Policy', value: CONTENT_SECURITY_POLICY },
          { key: 'X-Content-Type-Options', value: 'nosniff' },
          { key: 'X-Frame-Options', value: 'DENY' },
          { key: 'Referrer-Policy', value: 'same-origin' },
          { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
        ],
      },
    ];
  },
};

export default config;
