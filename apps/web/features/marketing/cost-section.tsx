import { Table, Td, Th, Tr } from '@penstock/ui';
import { Section } from './section';

const LINES = [
  {
    cost: 'Cross-zone replication',
    kafka:
      'Each record is copied to two brokers in other zones, and often crosses zones on its way in and out. AWS and Google Cloud bill this traffic per GB.',
    penstock: 'None. The bucket already spans zones, and agents serve clients in their own zone.',
  },
  {
    cost: 'Disks',
    kafka: 'Three copies on block storage, plus free space for peaks and rebalancing.',
    penstock: 'No disks. Object storage bills one copy of what you store.',
  },
  {
    cost: 'Machines',
    kafka: 'Sized for the peak, because moving partitions means hours of copying.',
    penstock: 'Agents are stateless. Scale them with the load like any web server.',
  },
  {
    cost: 'Partitions',
    kafka: 'Every partition adds files, replicas and leader elections.',
    penstock:
      'Agents write all partitions to the same objects, so request costs depend on bytes and time, not on partitions.',
  },
  {
    cost: 'Operations',
    kafka: 'Broker replacement, rebalancing, disk alerts, ZooKeeper or KRaft upgrades.',
    penstock: 'A restarted agent is ready to serve any partition. We run the journal that holds the offsets.',
  },
];

export function CostSection() {
  return (
    <Section
      id="cost"
      number="02"
      title="Why it costs less"
      lead={
        <p>
          Penstock removes the costs of a log that is replicated on disks. How much you save depends on your cloud,
          fan-out and retention. On Azure, traffic between zones is free, so the first row saves nothing.
        </p>
      }
    >
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        <Table label="Cost comparison" className="min-w-[44rem]" stacks>
          <thead>
            <tr>
              <Th className="w-40">Cost</Th>
              <Th className="w-[40%]">Kafka on disks, three zones</Th>
              <Th>Penstock</Th>
            </tr>
          </thead>
          <tbody>
            {LINES.map((line) => (
              <Tr key={line.cost}>
                <th
                  scope="row"
                  data-stack="title"
                  className="border-line border-b px-4 py-3 align-top font-medium text-ink sm:pl-5 [tr:last-child>&]:border-b-0"
                >
                  {line.cost}
                </th>
                <Td className="align-top leading-6" stack="foot" label="Kafka:">
                  {line.kafka}
                </Td>
                <Td className="align-top text-ink leading-6" stack="foot" label="Penstock:">
                  {line.penstock}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </Section>
  );
}
