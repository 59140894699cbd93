import { handleOrganizationExport } from '../../../../server/organization-export';

export const dynamic = 'force-dynamic';

export { handleOrganizationExport as GET };
