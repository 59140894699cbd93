'use client';

import { createAuthClient } from 'better-auth/react';

/** The browser's way to sign-up, sign-in and sessions. Same origin, cookies only: no token ever reaches a script. */
export const authClient = createAuthClient();
