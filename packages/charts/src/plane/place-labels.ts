// Places labels next to marks without overlaps. All sizes are shares of the drawing, 0 to 100, at desktop size. Pure.

/** At least the 24 px that WCAG 2.2 requires of targets (2.5.8). */
const LABEL_HEIGHT = 7.5;
const CHARACTER_WIDTH = 1.15;
const MARK_SIZE = 2.5;
/** The distance between a label and its mark. */
export const LEAD = 2.5;
const STEP = 1;

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface LabelledMark {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** The side of the mark on which its label is. */
  readonly side: 'left' | 'right';
}

const apart = (a: Box, b: Box) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

/** The space that a label takes at a height. */
export function labelBox({ x, text, side }: LabelledMark, labelY: number): Box {
  const far = LEAD + text.length * CHARACTER_WIDTH;
  const [left, right] = side === 'left' ? [x - far, x - LEAD] : [x + LEAD, x + far];
  return { left, right, top: labelY - LABEL_HEIGHT / 2, bottom: labelY + LABEL_HEIGHT / 2 };
}

/** Heights at which no label covers another or a mark, each as near to its mark as possible; the mark's own height if there is none. */
export function placeLabels(marks: readonly LabelledMark[]): readonly number[] {
  const taken: Box[] = marks.map(({ x, y }) => ({
    left: x - MARK_SIZE / 2,
    right: x + MARK_SIZE / 2,
    top: y - MARK_SIZE / 2,
    bottom: y + MARK_SIZE / 2,
  }));
  const heights = marks.map(({ y }) => y);
  const order = marks.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  for (const index of order) {
    const mark = marks[index];
    if (mark === undefined) {
      continue;
    }
    const found = nearestHeights(mark.y).find((height) => {
      const box = labelBox(mark, height);
      return taken.every((other) => apart(box, other));
    });
    heights[index] = found ?? mark.y;
    taken.push(labelBox(mark, heights[index] ?? mark.y));
  }
  return heights;
}

/** All heights of the drawing, nearest first. */
function nearestHeights(from: number): readonly number[] {
  const heights = [from];
  for (let offset = STEP; offset <= 100; offset += STEP) {
    heights.push(from + offset, from - offset);
  }
  return heights.filter((height) => height >= 0 && height <= 100);
}
