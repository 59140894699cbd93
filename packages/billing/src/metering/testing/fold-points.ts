/** The fail points of a fold, in the order in which it passes them. */
export const foldPoints = [
  'fold: checkpoint-locked',
  'fold: hours-written',
  'fold: blocks-written',
  'fold: changes-written',
  'fold: checkpoint-moved',
  'fold: committed',
] as const;
export type FoldPoint = (typeof foldPoints)[number];
