// The parts that the sections of a page subscribe to, without duplicates. Pure.
import type { LivePart } from './use-part-cache';

export interface Want {
  part: LivePart;
  count: number;
}

function isSame(left: LivePart, right: LivePart): boolean {
  return left.kind === right.kind && left.name === right.name;
}

export function withWant(wants: readonly Want[], part: LivePart): readonly Want[] {
  return wants.some((want) => isSame(want.part, part))
    ? wants.map((want) => (isSame(want.part, part) ? { ...want, count: want.count + 1 } : want))
    : [...wants, { part, count: 1 }];
}

export function withoutWant(wants: readonly Want[], part: LivePart): readonly Want[] {
  return wants
    .map((want) => (isSame(want.part, part) ? { ...want, count: want.count - 1 } : want))
    .filter(({ count }) => count > 0);
}

/** Sorted, so that equal sets give the same request. Every page shows the summary. */
export function wantedParts(wants: readonly Want[]): LivePart[] {
  const others = wants.map(({ part }) => part).filter(({ kind }) => kind !== 'summary');
  const nameOf = ({ kind, name = '' }: LivePart): string => `${kind} ${name}`;
  return [{ kind: 'summary' }, ...others.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))];
}
