// Facts that differ between the two systems on purpose.

/** The behavior of each system as seen by a client, and why they differ, in a sentence for users. */
export interface ListedDifference<Fact> {
  reason: string;
  kafka: Fact;
  penstock: Fact;
}

/** Whether the tests run against Apache Kafka. */
export const isKafka = process.env['PENSTOCK_E2E_TARGET'] === 'kafka';

/** The expected behavior of the system under test. */
export function listedFact<Fact>({ kafka, penstock }: ListedDifference<Fact>): Fact {
  return isKafka ? kafka : penstock;
}
