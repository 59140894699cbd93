import { handleInvoiceDownload } from '../../../../../../../server/invoice-download';

export const dynamic = 'force-dynamic';

interface Context {
  params: Promise<{ invoiceId: string; format: string }>;
}

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return handleInvoiceDownload(request, await params);
}
