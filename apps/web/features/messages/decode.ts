// Decodes the bytes of a record for display. Pure.

export const decoders = ['json', 'text', 'hex'] as const;
export type Decoder = (typeof decoders)[number];

export interface Decoded {
  decoder: Decoder;
  text: string;
  /** Why the requested decoder was not used. */
  fault: string | null;
}

const HEX_ROW_BYTES = 16;
/** Above this size, formatting JSON or dumping hex would block the page. */
const MAX_HEX_BYTES = 64 * 1024;

/** Decodes base64 to bytes. */
export function fromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Text as UTF-8, in base64. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Valid UTF-8 without control characters other than white space; null for anything else. */
function readText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells binary data from text
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/**
 * Formatted JSON; null if the text is not JSON. Numbers that JavaScript cannot represent would lose digits, so such text stays unformatted.
 */
function readJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const isLossless = !/\d{16,}/.test(text);
    return isLossless ? JSON.stringify(value, null, 2) : text.trim();
  } catch {
    return null;
  }
}

/** The likely format of the bytes. Only objects and arrays count as JSON, because a lone number or word may as well be text. */
export function detect(bytes: Uint8Array): Decoder {
  const text = readText(bytes);
  if (text === null) {
    return 'hex';
  }
  return /^\s*[[{]/.test(text) && readJson(text) !== null ? 'json' : 'text';
}

/** Decodes with this decoder, or with the nearest one that can show the bytes. */
export function decode(bytes: Uint8Array, decoder: Decoder): Decoded {
  if (decoder === 'hex') {
    return { decoder, text: hexDump(bytes), fault: null };
  }
  const text = readText(bytes);
  if (text === null) {
    return { decoder: 'hex', text: hexDump(bytes), fault: 'Not valid UTF-8, so bytes are shown.' };
  }
  if (decoder === 'text') {
    return { decoder, text, fault: null };
  }
  const json = readJson(text);
  return json === null
    ? { decoder: 'text', text, fault: 'Not valid JSON, so text is shown.' }
    : { decoder, text: json, fault: null };
}

/** Rows of an offset, sixteen bytes in hex, and the same in ASCII. */
export function hexDump(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, MAX_HEX_BYTES); at += HEX_ROW_BYTES) {
    const row = [...bytes.subarray(at, at + HEX_ROW_BYTES)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    rows.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(HEX_ROW_BYTES * 3 - 1)}  ${ascii}`);
  }
  if (bytes.length > MAX_HEX_BYTES) {
    rows.push(`… ${bytes.length - MAX_HEX_BYTES} more bytes`);
  }
  return rows.join('\n');
}

/** A one-line preview for a table. */
export function preview(bytes: Uint8Array, length = 120): string {
  const text = readText(bytes);
  if (text !== null) {
    return shorten(text.replace(/\s+/g, ' ').trim(), length);
  }
  const hex = [...bytes.subarray(0, length / 2)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `0x${hex}${bytes.length > length / 2 ? '…' : ''}`;
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
