// Names that people choose and that reach mails to others: nothing in them may pass for our words or lead elsewhere.
// Client-safe, pure.

/** Controls, line breaks, and invisible characters, among them those that turn the direction of writing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

const SCHEME = /(?:[a-z][a-z0-9+.-]*:\/\/|\b(?:mailto|javascript|tel):)/giu;

/** A dot between two words, as in a host name; mail programs turn it into a link. */
const DOT_IN_WORD = /(?<=[\p{L}\p{N}])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}])/gu;

/** A host with a top-level domain, or anything that a path or a mailbox follows. Leaves `U.S. Steel` and `E.ON` alone. */
const ADDRESS =
  /(?:[\p{L}\p{N}-]{2,}[.\u3002\uff0e\uff61]\p{L}{2,}(?![\p{L}\p{N}])|[\p{L}\p{N}][.\u3002\uff0e\uff61]\p{L}{2,}\/|\S@\S|\bwww\.)/iu;

/** Null for a name that may reach a mail, else what is wrong with it. */
export function nameFault(name: string): string | null {
  if (name.search(INVISIBLE) !== -1) {
    return 'Use visible characters on one line.';
  }
  return name.search(SCHEME) !== -1 || ADDRESS.test(name) ? 'Don’t use a web or email address in the name.' : null;
}

/** Prevents line breaks in a text from adding lines or headers to a mail, and invisible characters from changing it. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim();
}

/**
 * A name as it appears in a mail: on one line, without invisible characters and without anything that a mail program
 * would turn into a link. For names from before the rule, and for those that come from elsewhere, e.g. from a provider.
 */
export function nameInMail(name: string): string {
  return oneLine(name).replace(SCHEME, '').replace(DOT_IN_WORD, '[.]').replaceAll('@', '[at]');
}
