// Facts that differ between the two systems on purpose.

/** What a client sees on each system, and why they differ: a sentence that a user understands. */
export interface ListedDifference<Fact> {
  reason: string;
  kafka: Fact;
  penstock: Fact;
}

/** Whether the tests run against Apache Kafka. */
export const isKafka = process.env['PENSTOCK_E2E_TARGET'] === 'kafka';

/** What the system under test is to answer. */
export function listedFact<Fact>({ kafka, penstock }: ListedDifference<Fact>): Fact {
  return isKafka ? kafka : penstock;
}
