import { postEstimate } from '../../../../../features/pricing/server';

export const POST = postEstimate;
