import { ArchitecturePicture } from './architecture-picture';
import { Section } from './section';

const STEPS = [
  {
    title: 'A client produces',
    text: 'Any agent takes the batches of any partition, checks each batch’s CRC and adds them to the open data file.',
  },
  {
    title: 'The agent writes one object',
    text: 'Every 250 ms or 8 MiB, by default, the file goes to your bucket as a single object with the batches of all partitions.',
  },
  {
    title: 'The metadata service assigns offsets',
    text: 'It appends the commit to a journal in PostgreSQL. Only when the journal has it does the producer get its answer.',
  },
  {
    title: 'Consumers read through agents',
    text: 'An agent asks where an offset lies and serves the bytes from its cache or your bucket. Batches are stored as you compressed them.',
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
          The data plane runs in your account and is the only thing that ever sees a record. The control plane keeps
          topics, offsets, groups and the location of every batch: it could not read your data if it wanted to.
        </p>
      }
    >
      <section
        aria-label="Architecture picture"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-xl border border-line bg-bg p-4 sm:p-6"
      >
        <ArchitecturePicture />
      </section>
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
