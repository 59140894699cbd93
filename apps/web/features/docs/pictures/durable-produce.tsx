import { Arrow, Box, Picture, Words } from './kit';

const ID = 'durable-produce';
const LANES = [
  { x: 42, label: 'Producer' },
  { x: 127, label: 'Agent' },
  { x: 212, label: 'Bucket' },
  { x: 297, label: 'Owner' },
] as const;
const [producer, agent, bucket, owner] = LANES.map((lane) => lane.x) as [number, number, number, number];

/** The steps between a Produce request and its response, from top to bottom. */
export function DurableProducePicture() {
  return (
    <Picture
      id={ID}
      title="How a produce request becomes durable"
      height={366}
      text="Step 1: the producer sends Produce to an agent, which checks it and adds it to the open file. Step 2: the agent writes the file to the bucket, and the bucket confirms it. Step 3: the agent commits the file to the owner of the virtual cluster. Step 4: the owner assigns the offsets and appends them to the journal in PostgreSQL. Step 5: the owner answers the agent with the offsets. Step 6: the agent answers the producer."
      legend="Each arrow waits for the one above it. An acknowledged record is therefore in the bucket, and its offset is in PostgreSQL."
    >
      {LANES.map(({ x, label }) => (
        <g key={label}>
          <line x1={x} y1="36" x2={x} y2="362" stroke="var(--line-strong)" strokeDasharray="2 4" />
          <Box x={x - 38} y={4} width={76} height={30} label={label} />
        </g>
      ))}
      <Step y={66} from={producer} to={agent} tone="record" label="1 Produce" />
      <Box x={agent - 52} y={78} width={104} height={34} variant="solid" label="check, wait" note="≤ 250 ms, 15 MiB" />
      <Step y={136} from={agent} to={bucket} tone="record" label="2 PUT file" />
      <Step y={164} from={bucket} to={agent} tone="plain" label="stored" />
      <Step y={196} from={agent} to={owner} tone="metadata" label="3 commit" />
      <Box
        x={owner - 88}
        y={208}
        width={128}
        height={50}
        variant="solid"
        label="4 offsets"
        note="journal: PostgreSQL"
      />
      <Step y={284} from={owner} to={agent} tone="metadata" label="5 offsets" />
      <Step y={326} from={agent} to={producer} tone="record" label="6 response" />
    </Picture>
  );
}

function Step({
  y,
  from,
  to,
  tone,
  label,
}: {
  y: number;
  from: number;
  to: number;
  tone: 'record' | 'metadata' | 'plain';
  label: string;
}) {
  return (
    <g>
      <Words x={(from + to) / 2} y={y - 6} anchor="middle">
        {label}
      </Words>
      <Arrow picture={ID} from={[from, y]} to={[to, y]} tone={tone} />
    </g>
  );
}
