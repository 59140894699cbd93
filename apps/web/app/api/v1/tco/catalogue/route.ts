import { getCatalogue } from '../../../../../features/pricing/server';

export const GET = getCatalogue;
