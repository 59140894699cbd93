import { handleOpenApi } from '../../../../server/rest-handler';

export const dynamic = 'force-dynamic';

export const GET = handleOpenApi;
