/** The bill cannot be checked, for a reason that is not an error in the bill. */
export class CannotRecompute extends Error {
  override readonly name = 'CannotRecompute';
  /** How to resolve the problem. */
  readonly remedy: string;

  constructor(problem: string, remedy: string, options?: ErrorOptions) {
    super(problem, options);
    this.remedy = remedy;
  }
}
