// Client-safe.

/** Marks a passkey's answer as a confirmation. The browser's library sends both kinds to the endpoint for signing in. */
export const CONFIRMATION_HEADER = 'x-penstock-confirmation';
