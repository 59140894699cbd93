// A guarantee that did not hold; the message names it.
export class AuditFailure extends Error {
  override name = 'AuditFailure';
}

export function mustHold(holds: boolean, broken: () => string): void {
  if (!holds) {
    throw new AuditFailure(broken());
  }
}
