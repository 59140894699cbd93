// A test of an organization's connection: the steps of a sign-in, what came back, and what to change if one failed.
import { AppError } from '@penstock/platform';
import { z } from 'zod';

/** In the order in which they run. A test ends with the first step that fails. */
export const ssoTestSteps = ['provider', 'keys', 'answer', 'address', 'role'] as const;
export type SsoTestStepName = (typeof ssoTestSteps)[number];

const storedStep = z.object({
  name: z.enum(ssoTestSteps),
  /** Null if the step succeeded. */
  problem: z.object({ message: z.string(), remedy: z.string() }).nullable(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
});
export type SsoTestStep = z.infer<typeof storedStep>;

const storedTest = z.object({ testedAt: z.iso.datetime(), steps: z.array(storedStep) });

export interface SsoTest {
  testedAt: Date;
  isPassed: boolean;
  steps: SsoTestStep[];
}

/** Reads the database column. */
export function parseTest(value: unknown): SsoTest | null {
  if (value === null || value === undefined) {
    return null;
  }
  const { testedAt, steps } = storedTest.parse(value);
  const isPassed = steps.every(({ problem }) => problem === null) && steps.at(-1)?.name === 'role';
  return { testedAt: new Date(testedAt), isPassed, steps };
}

/** Facts of a step; those without a value are left out. */
export type StepFacts = Readonly<Record<string, string | null | undefined>>;

/** Maximum length of a stored fact, because providers may send any length. */
const MAX_FACT_LENGTH = 500;

/** Runs the steps of a test and notes how each went. */
export class SsoTestReport {
  readonly #steps: SsoTestStep[];

  /** @param steps those that ran before the browser went to the provider */
  constructor(steps: readonly SsoTestStep[] = []) {
    this.#steps = [...steps];
  }

  get steps(): readonly SsoTestStep[] {
    return this.#steps;
  }

  /** Runs a step. @returns its result; null if it failed, which ends the test */
  async run<T>(name: SsoTestStepName, work: () => Promise<T>, factsOf: (result: T) => StepFacts): Promise<T | null> {
    try {
      const result = await work();
      const facts = Object.entries(factsOf(result)).flatMap(([label, value]) =>
        value == null ? [] : [{ label, value: value.slice(0, MAX_FACT_LENGTH) }],
      );
      this.#steps.push({ name, problem: null, facts });
      return result;
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error;
      }
      this.#steps.push({ name, problem: { message: error.message, remedy: error.remedy ?? '' }, facts: [] });
      return null;
    }
  }

  /** For the database column. */
  toStored(now: Date): { testedAt: string; steps: SsoTestStep[] } {
    return { testedAt: now.toISOString(), steps: this.#steps };
  }
}
