export { AuditFailure } from './auditor/audit-failure.ts';
export { type SimulationResult, simulate } from './simulation.ts';
