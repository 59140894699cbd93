// Parses the address that an agent reports for the other agents of its zone.

const LONGEST_URL_CHARS = 300;

/** The text as an http or https origin. Null for anything else, so that no agent can make others send requests to arbitrary URLs. */
export function internalOrigin(text: string): string | null {
  if (text.length > LONGEST_URL_CHARS || !URL.canParse(text)) {
    return null;
  }
  const { origin, href, protocol } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && href === `${origin}/` ? origin : null;
}
