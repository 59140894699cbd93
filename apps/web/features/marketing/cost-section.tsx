import { Table, Td, Th, Tr } from '@penstock/ui';
import { Section } from './section';

const LINES = [
  {
    cost: 'Copies between zones',
    kafka:
      'Each record is sent to two more brokers in other zones, and often crosses a zone on its way in and out. Clouds bill that per GB, each way, on AWS and Google Cloud.',
    penstock: 'None for storage. The bucket is already spread over zones; agents serve clients of their own zone.',
  },
  {
    cost: 'Disks',
    kafka: 'Three copies on block storage, with free space kept for peaks and rebalancing.',
    penstock: 'No disks. Object storage is billed for what it holds, once.',
  },
  {
    cost: 'Machines',
    kafka: 'Sized for the peak, because moving partitions takes hours of copying.',
    penstock: 'Agents hold no state: add or remove them with the load, as any web server.',
  },
  {
    cost: 'Partitions',
    kafka: 'Every partition adds files, replicas and leader work.',
    penstock: 'Agents write one object for all partitions together, so requests follow bytes and time, not partitions.',
  },
  {
    cost: 'People',
    kafka: 'Broker replacement, rebalancing, disk alarms, ZooKeeper or KRaft upgrades.',
    penstock: 'Restart an agent and it serves everything again. Offsets live in a journal that we run.',
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
          Not by a discount: by leaving out what a replicated log on disks has to pay for. How much that saves depends
          on your cloud, your fan-out and your retention. On Azure, where traffic between zones is free, the first line
          saves nothing.
        </p>
      }
    >
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        <Table label="Cost lines compared" className="min-w-[44rem]">
          <thead>
            <tr>
              <Th className="w-40">Cost line</Th>
              <Th className="w-[40%]">Kafka on disks, three zones</Th>
              <Th>Penstock</Th>
            </tr>
          </thead>
          <tbody>
            {LINES.map((line) => (
              <Tr key={line.cost}>
                <th scope="row" className="border-line border-b px-4 py-3 align-top font-medium text-ink sm:pl-5">
                  {line.cost}
                </th>
                <Td className="align-top leading-6">{line.kafka}</Td>
                <Td className="align-top text-ink leading-6">{line.penstock}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
    </Section>
  );
}
