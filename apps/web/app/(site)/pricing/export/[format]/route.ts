import { handleEstimateDownload } from '../../../../../server/estimate-download';

interface Context {
  params: Promise<{ format: string }>;
}

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return handleEstimateDownload(request, (await params).format);
}
