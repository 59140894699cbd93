// All data of an organization as one document: of the active one, or of a deleted one that the user owned.
import 'server-only';
import { respondWithFile } from '@penstock/api';
import { refusalText } from './refusal-text';
import { getCallerForFile } from './session';

export async function handleOrganizationExport(request: Request): Promise<Response> {
  const organizationId = new URL(request.url).searchParams.get('organizationId');
  try {
    const { organization } = await getCallerForFile(request);
    return await respondWithFile(
      organizationId === null ? await organization.export() : await organization.exportDeleted({ organizationId }),
    );
  } catch (error) {
    return refusalText(error);
  }
}
