import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { ScriptedMark } from '../lib/scripted';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Penstock: Kafka-compatible streaming on your own object storage', template: '%s · Penstock' },
  description:
    'Penstock is Kafka-compatible and stores every record in your own bucket. It runs as stateless agents in your cloud account, with no disks and no replication traffic between zones.',
  applicationName: 'Penstock',
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f9fafa' },
    { media: '(prefers-color-scheme: dark)', color: '#0b0d11' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading it makes every page render per request, which a nonce needs.
  const nonce = (await headers()).get('x-nonce') ?? '';
  return (
    // The theme script sets data-theme before React runs, hence suppressHydrationWarning on this one element.
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      data-scripted="no"
      suppressHydrationWarning
    >
      <head>
        {/* Blocking on purpose: they must run before the first paint, and before anything can be sent. */}
        <script src="/theme-init.js" nonce={nonce} />
        <script src="/early-submit.js" nonce={nonce} />
      </head>
      <body>
        <a
          href="#main"
          className="-translate-y-20 fixed top-3 left-3 z-[70] rounded-md bg-solid px-4 py-2 font-medium text-on-solid text-sm focus:translate-y-0"
        >
          Skip to content
        </a>
        {children}
        <ScriptedMark />
      </body>
    </html>
  );
}
