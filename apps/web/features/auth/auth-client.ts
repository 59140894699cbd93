'use client';

import { passkeyClient } from '@better-auth/passkey/client';
import { twoFactorClient } from 'better-auth/client/plugins';
import { createAuthClient } from 'better-auth/react';

/** The browser's client for sign-up and sign-in. Same origin, cookies only: no token ever reaches a script. */
export const authClient = createAuthClient({ plugins: [twoFactorClient(), passkeyClient()] });
