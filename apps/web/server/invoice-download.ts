// An invoice as a file. The procedure behind it checks the same permission as the page.
import 'server-only';
import { refusalText } from './refusal-text';
import { getCallerForFile } from './session';

const formats = ['pdf', 'csv', 'json'] as const;

/** @param wanted `invoiceId` is an id, or `draft` for the running month */
export async function handleInvoiceDownload(
  request: Request,
  wanted: { invoiceId: string; format: string },
): Promise<Response> {
  const format = formats.find((known) => known === wanted.format);
  if (format === undefined) {
    return new Response('Unknown format. Use pdf, csv or json.\n', { status: 404 });
  }
  try {
    const api = await getCallerForFile(request);
    const file = await api.billing.exportInvoice({ invoice: wanted.invoiceId, format });
    return new Response(new Uint8Array(file.bytes), {
      headers: {
        'content-type': file.contentType,
        'content-disposition': `attachment; filename="${file.fileName}"`,
        // An organization's private data: no cache may store it.
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      },
    });
  } catch (error) {
    return refusalText(error);
  }
}
