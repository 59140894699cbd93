// What the sections on a page want told, each part once however many want it. Pure.
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

/** In an order of their own, so that the same wants are the same question. Every page shows the summary. */
export function wantedParts(wants: readonly Want[]): LivePart[] {
  const others = wants.map(({ part }) => part).filter(({ kind }) => kind !== 'summary');
  const nameOf = ({ kind, name = '' }: LivePart): string => `${kind} ${name}`;
  return [{ kind: 'summary' }, ...others.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))];
}
