export { AuditFailure } from './auditor/audit-failure.ts';
export { type Behaviour, MUTANTS, RIGHT } from './behaviour.ts';
export { type SimulationResult, simulate } from './simulation.ts';
