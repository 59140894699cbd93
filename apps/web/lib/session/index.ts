export { SessionGate, type SignedInSession, useSession } from './session-context';
export { useMay } from './use-may';
