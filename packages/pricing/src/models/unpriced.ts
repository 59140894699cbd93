// Systems that belong into the comparison but have no published price that we could verify. No number is invented for them.

export interface UnpricedSystem {
  readonly name: string;
  /** Says which price is missing, and what was found instead. */
  readonly why: string;
  /** Where we looked, with the day. */
  readonly looked: string;
}

export const UNPRICED: readonly UnpricedSystem[] = [
  {
    name: 'Confluent Cloud, Enterprise',
    why: 'Billed by eCKU-hours, bytes in and out, and storage. The documentation says what is billed, but the prices are on a page of which we found no copy.',
    looked: 'docs.confluent.io, “Billing Dimensions in Confluent Cloud”, 2026-11-24',
  },
  {
    name: 'Confluent Cloud, Freight',
    why: 'We have $2.25 per eCKU-hour and $0.03 per GB-month without a source, and no price for bytes in and out. A cluster also refuses idempotent producers and transactions, so it does not compare with the others.',
    looked: 'docs.confluent.io, “Kafka Cluster Types in Confluent Cloud”, 2026-11-24',
  },
  {
    name: 'Redpanda Cloud, Dedicated and BYOC',
    why: 'Billed by hours of a tier, bytes in and out, and storage. Tiers and their prices come from an estimator or from sales.',
    looked: 'docs.redpanda.com, “Billing and Support”, of 2026-05-22',
  },
  {
    name: 'Aiven for Apache Kafka',
    why: 'Billed by the hour of a plan that includes machines, disks and network. The prices of the plans are shown in its console, and we found no copy.',
    looked: 'aiven.io/docs, “Billing and payment”, 2026-11-24',
  },
  {
    name: 'Redpanda Enterprise license',
    why: 'Self-managed tiered storage needs a license with an annual fee that is quoted. The row “Redpanda, tiered storage” shows what the infrastructure costs.',
    looked: 'api-evangelist/redpanda, a secondary summary of its prices, of 2026-05-08',
  },
];
