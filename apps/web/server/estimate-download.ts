// The calculator's estimate as a file, mounted at /pricing/export.
import 'server-only';
import { exportEstimate } from '@penstock/api';
import { getBackend } from './backend';

/** @param format `csv` or `json`; anything else is refused */
export async function handleEstimateDownload(request: Request, format: string): Promise<Response> {
  const { method, url, headers } = request;
  const answer = await exportEstimate(getBackend(), { method, url, headers, body: null }, format);
  // Estimates and refusals are text.
  const text = typeof answer.body === 'string' ? answer.body : null;
  return new Response(text, { status: answer.status, headers: answer.headers });
}
