import { answerSecurityText } from '../../../server/security-text';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

export { answerSecurityText as GET };
