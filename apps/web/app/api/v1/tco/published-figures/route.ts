import { getPublishedFigures } from '../../../../../features/pricing/server';

export const GET = getPublishedFigures;
