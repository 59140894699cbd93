import { ArchitecturePicture } from './architecture-picture';
import { Section } from './section';

const STEPS = [
  {
    title: 'A client produces',
    text: 'Any agent accepts batches for any partition. It verifies each batch’s CRC and adds the batches to the open data file.',
  },
  {
    title: 'The agent writes one object',
    text: 'By default, after 250 ms or 15 MiB the file is written to your bucket as a single object that holds the batches of all partitions.',
  },
  {
    title: 'The metadata service assigns offsets',
    text: 'It appends the commit to a journal in PostgreSQL. The producer gets its response only after the commit is durable.',
  },
  {
    title: 'Consumers read through agents',
    text: 'An agent looks up where an offset is stored and serves it from its cache or your bucket. Batches keep your compression.',
  },
];

export function HowItWorksSection() {
  return (
    <Section
      id="how-it-works"
      number="01"
      title="How it works"
      lead={
        <p>
          The data plane runs in your account. Only it handles records. The control plane stores topics, offsets, groups
          and the location of every batch. It has no access to your data.
        </p>
      }
    >
      <div className="rounded-xl border border-line bg-bg p-3 sm:p-6">
        <ArchitecturePicture />
      </div>
      <ol className="mt-10 grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {STEPS.map((step, index) => (
          <li key={step.title} className="border-ink border-t pt-4">
            <p className="font-mono text-ink-3 text-xs">{index + 1}</p>
            <h3 className="mt-1 font-semibold text-ink">{step.title}</h3>
            <p className="mt-2 text-ink-2 text-sm leading-6">{step.text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
