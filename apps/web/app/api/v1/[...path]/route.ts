import { handleRestApi } from '../../../../server/rest-handler';

export const dynamic = 'force-dynamic';

export {
  handleRestApi as DELETE,
  handleRestApi as GET,
  handleRestApi as OPTIONS,
  handleRestApi as PATCH,
  handleRestApi as POST,
  handleRestApi as PUT,
};
