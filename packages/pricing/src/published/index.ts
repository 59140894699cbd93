import { BUFSTREAM_FIGURES } from './bufstream.ts';
import { ELASTIC_STREAM_FIGURES } from './elastic-stream.ts';
import { evaluateFigure, type FigureSpec, type PublishedFigure } from './types.ts';
import { VANLIGHTLY_FIGURES } from './vanlightly.ts';
import { WARPSTREAM_2024_FIGURES } from './warpstream-2024.ts';
import { WARPSTREAM_2025_FIGURES } from './warpstream-2025.ts';

export { type FigureKind, formatFigure, type PublishedFigure, SOURCES, type SourceId, type Verdict } from './types.ts';

const evaluate = (specs: readonly FigureSpec[]): PublishedFigure[] => specs.map(evaluateFigure);

/** Every figure of the documents, in the documents' order. */
export const PUBLISHED_FIGURES: readonly PublishedFigure[] = [
  ...evaluate(WARPSTREAM_2024_FIGURES),
  ...evaluate(WARPSTREAM_2025_FIGURES),
  ...evaluate(BUFSTREAM_FIGURES),
  ...evaluate(ELASTIC_STREAM_FIGURES),
  ...evaluate(VANLIGHTLY_FIGURES),
];
