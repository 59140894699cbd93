import { getExport } from '../../../../../features/pricing/server';

type Context = { params: Promise<{ format: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return getExport((await params).format)(request);
}
