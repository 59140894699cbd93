// A broken promise; the message names it.
export class AuditFailure extends Error {
  override name = 'AuditFailure';
}

export function promise(holds: boolean, broken: () => string): void {
  if (!holds) {
    throw new AuditFailure(broken());
  }
}
