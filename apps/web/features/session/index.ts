export { SessionGate, type SignedInSession, useSession } from './session-context';
