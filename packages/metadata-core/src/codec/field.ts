// Building blocks of the record codecs. A record is its fields in the order in which they are listed. That order IS the format: fields are
// never reordered, and a change needs a new version byte (see entry.ts and snapshot.ts).

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { ID_BYTES, type Id, type IdKey, idFromKey, idKey } from '../model/ids.ts';

export interface Field<T> {
  write(to: ByteWriter, value: T): void;
  read(from: ByteReader): T;
}

export const unsigned: Field<number> = {
  write: (to, value) => to.unsigned(value),
  read: (from) => from.unsigned(),
};

export const signed: Field<number> = {
  write: (to, value) => to.signed(value),
  read: (from) => from.signed(),
};

/** Any number, in eight bytes, little-endian (IEEE 754). */
export const float: Field<number> = {
  write: (to, value) => {
    const at = to.claim(8);
    new DataView(at.buffer, at.byteOffset, 8).setFloat64(0, value, true);
  },
  read: (from) => {
    const at = from.view(8);
    return new DataView(at.buffer, at.byteOffset, 8).getFloat64(0, true);
  },
};

export const text: Field<string> = {
  write: (to, value) => to.text(value),
  read: (from) => from.text(),
};

export const bytes: Field<Uint8Array> = {
  write: (to, value) => to.bytes(value),
  read: (from) => from.bytes(),
};

export const id: Field<Id> = {
  write: (to, value) => to.raw(value),
  read: (from) => from.raw(ID_BYTES),
};

/** An id, as the key that maps use. */
export const idKeyCodec: Field<IdKey> = {
  write: (to, value) => to.raw(idFromKey(value)),
  read: (from) => idKey(from.raw(ID_BYTES)),
};

/** An id of any length, as callers may send one. */
export const looseId: Field<Id> = bytes;

export const boolean: Field<boolean> = {
  write: (to, value) => to.byte(value ? 1 : 0),
  read: (from) => {
    const byte = from.byte();
    if (byte > 1) {
      throw new CorruptDataError('a boolean is neither 0 nor 1');
    }
    return byte === 1;
  },
};

/** A non-negative integer of any size, as decimal text. */
export const bigint: Field<bigint> = {
  write: (to, value) => to.text(value.toString()),
  read: (from) => {
    const digits = from.text();
    if (!/^\d+$/.test(digits)) {
      throw new CorruptDataError('an integer has no digits');
    }
    return BigInt(digits);
  },
};

export function list<T>(item: Field<T>): Field<T[]> {
  return {
    write: (to, values) => {
      to.unsigned(values.length);
      for (const value of values) {
        item.write(to, value);
      }
    },
    read: (from) => Array.from({ length: from.count() }, () => item.read(from)),
  };
}

export function set<T>(item: Field<T>): Field<Set<T>> {
  const items = list(item);
  return {
    write: (to, values) => items.write(to, [...values]),
    read: (from) => new Set(items.read(from)),
  };
}

export function map<K, V>(key: Field<K>, value: Field<V>): Field<Map<K, V>> {
  return {
    write: (to, entries) => {
      to.unsigned(entries.size);
      for (const [k, v] of entries) {
        key.write(to, k);
        value.write(to, v);
      }
    },
    read: (from) => {
      const entries = new Map<K, V>();
      for (let left = from.count(); left > 0; left -= 1) {
        const k = key.read(from);
        entries.set(k, value.read(from));
      }
      return entries;
    },
  };
}

export function nullable<T>(field: Field<T>): Field<T | null> {
  return {
    write: (to, value) => {
      boolean.write(to, value !== null);
      if (value !== null) {
        field.write(to, value);
      }
    },
    read: (from) => (boolean.read(from) ? field.read(from) : null),
  };
}

/** One of a fixed list of words, as its index: new words go to the end. */
export function oneOf<const T extends string>(words: readonly T[]): Field<T> {
  return {
    write: (to, value) => to.byte(words.indexOf(value)),
    read: (from) => {
      const word = words[from.byte()];
      if (word === undefined) {
        throw new CorruptDataError('an unknown word');
      }
      return word;
    },
  };
}

type Fields<T> = { [K in keyof T]-?: Field<T[K]> };

/** A record: its fields in the order listed. */
export function record<T extends object>(fields: Fields<T>): Field<T> {
  const entries = Object.entries(fields) as [keyof T, Field<T[keyof T]>][];
  return {
    write: (to, value) => {
      for (const [name, field] of entries) {
        field.write(to, value[name]);
      }
    },
    read: (from) => {
      const value: Partial<T> = {};
      for (const [name, field] of entries) {
        value[name] = field.read(from);
      }
      return value as T;
    },
  };
}

/** A record in which any field may be absent. */
export function partial<T extends object>(fields: Fields<T>): Field<Partial<T>> {
  const entries = Object.entries(fields) as [keyof T, Field<T[keyof T]>][];
  return {
    write: (to, value) => {
      for (const [name, field] of entries) {
        const part = value[name];
        boolean.write(to, part !== undefined);
        if (part !== undefined) {
          field.write(to, part);
        }
      }
    },
    read: (from) => {
      const value: Partial<T> = {};
      for (const [name, field] of entries) {
        if (boolean.read(from)) {
          value[name] = field.read(from);
        }
      }
      return value;
    },
  };
}
