// Cursors of lists: opaque to callers, they hold the key after which the next page begins.
import { z } from 'zod';

/** Longer than every key: a name of 1,024 characters takes up to 6 bytes each in JSON, and 4 characters for 3 bytes. */
const LONGEST_CURSOR = 8_500;

/** The alphabet of base64url. Other characters take up to 12 bytes of a URL, and Node refuses URLs and headers of more than 16 KiB. */
const CURSOR_CHARACTERS = /^[A-Za-z0-9_-]*$/;

const REMEDY = 'This is not a cursor of this list. Use `nextCursor` of the previous page, or start without a cursor.';

const DESCRIPTION = { description: '`nextCursor` of the previous page.' };

/** The elements of keys. */
export const keyTime = z
  .int()
  .min(0)
  .max(8.64e15)
  .transform((ms) => new Date(ms));
/** PostgreSQL's text cannot contain NUL. */
export const keyText = z
  .string()
  .max(300)
  .refine((text) => !text.includes('\0'));
/** For lists outside PostgreSQL, where any text can be compared: as long as ids of groups and transactions may be. */
export const keyName = z.string().max(1_024);

const cursorText = z
  .string()
  .max(LONGEST_CURSOR, { error: REMEDY, abort: true })
  .regex(CURSOR_CHARACTERS, { error: REMEDY, abort: true });

/** A key: dates, numbers and short texts. */
export type CursorKey = readonly [KeyPart, ...KeyPart[]];
type KeyPart = Date | string | number | null;

export interface Cursor<Key extends CursorKey> {
  /** Reads the input `cursor`. */
  schema: z.ZodType<Key | undefined, string | undefined>;
  encode(key: Key): string;
}

/**
 * @param list a name of the list, so that the cursor of another list is refused
 * @param key what an element may be
 */
export function cursorOf<Key extends CursorKey>(list: string, key: z.ZodType<Key>): Cursor<Key> {
  const schema = cursorText
    .transform((text, context): Key => {
      const [name, ...elements] = elementsIn(text);
      const parsed = key.safeParse(elements);
      if (name !== list || !parsed.success) {
        context.addIssue({ code: 'custom', message: REMEDY });
        return z.NEVER;
      }
      return parsed.data;
    })
    .optional()
    .meta(DESCRIPTION);
  const encode = (elements: Key): string => {
    const plain = elements.map((element) => (element instanceof Date ? element.getTime() : element));
    return Buffer.from(JSON.stringify([list, ...plain])).toString('base64url');
  };
  return { schema, encode };
}

/** The cursor of a list in the order of its ids, which are in the order of time. */
export function idCursor(list: string) {
  const { schema, encode } = cursorOf(list, z.tuple([z.uuid()]));
  return {
    /** Leaves the text as it is: the route of the public API and the operation both read it. */
    schema: cursorText
      .refine((text) => schema.safeParse(text).success, REMEDY)
      .optional()
      .meta(DESCRIPTION),
    /** The id after which the page begins; undefined: from the start. @param cursor as `schema` accepted it */
    idIn: (cursor: string | undefined): string | undefined => schema.parse(cursor)?.[0],
    /** The page as callers get it. @param read its `nextCursor` is the id of its last item, or null */
    page: <P extends { nextCursor: string | null }>(read: P): P => ({
      ...read,
      nextCursor: read.nextCursor === null ? null : encode([read.nextCursor]),
    }),
  };
}

/** For event logs, which continue a page of the list or of a stream. */
export const eventCursor = idCursor('listClusterEvents');

function elementsIn(cursor: string): unknown[] {
  try {
    const elements: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(elements) ? elements : [];
  } catch {
    return [];
  }
}
