// The audit log as a file. The procedure behind it applies the same permission and search as the page.
import 'server-only';
import { respondWithFile } from '@penstock/api';
import { exportAuditInput } from '@penstock/api/inputs';
import { refusalText } from './refusal-text';
import { getCallerForFile } from './session';

export async function handleAuditExport(request: Request): Promise<Response> {
  const input = exportAuditInput.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!input.success) {
    return new Response('The export filter in this URL is invalid.\n', { status: 400 });
  }
  try {
    const api = await getCallerForFile(request);
    return await respondWithFile(await api.audit.export(input.data));
  } catch (error) {
    return refusalText(error);
  }
}
