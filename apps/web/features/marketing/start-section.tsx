import { Button } from '@penstock/ui';
import Link from 'next/link';
import { Section } from './section';

const STEPS = [
  ['Create a virtual cluster', 'It is ready immediately. There are no servers to provision.'],
  ['Start an agent', 'Copy a ready-made command for your terminal, Docker or Kubernetes.'],
  ['Connect your client', 'Change the bootstrap address. Keep your client, code and serializers.'],
] as const;

export function StartSection() {
  return (
    <Section
      id="start"
      number="04"
      title="From sign-up to first record in three steps"
      lead={<p>The dashboard shows each step live, with metered usage next to the traffic that caused it.</p>}
    >
      <ol className="grid gap-px overflow-hidden rounded-xl border border-line bg-line md:grid-cols-3">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="bg-surface p-6">
            <p className="font-mono text-accent-ink text-xs">Step {index + 1}</p>
            <h3 className="mt-2 font-semibold text-ink">{title}</h3>
            <p className="mt-2 text-ink-2 text-sm leading-6">{text}</p>
          </li>
        ))}
      </ol>
      <div className="mt-8 flex flex-wrap gap-3">
        <Button asChild variant="primary" size="lg">
          <Link href="/sign-up">Create account</Link>
        </Button>
        <Button asChild size="lg">
          <Link href="/docs">See the commands first</Link>
        </Button>
      </div>
    </Section>
  );
}
