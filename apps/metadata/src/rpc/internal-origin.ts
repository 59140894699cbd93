// Where the agents of a zone reach each other, as an agent says it.

const LONGEST_URL_CHARS = 300;

/** The http or https origin that a text is; null for everything else, so that no agent has others send requests where it likes. */
export function internalOrigin(text: string): string | null {
  if (text.length > LONGEST_URL_CHARS || !URL.canParse(text)) {
    return null;
  }
  const { origin, href, protocol } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && href === `${origin}/` ? origin : null;
}
