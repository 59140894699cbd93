import { DEFAULT_NOTES, type Favoured, notesFavouring } from '@penstock/pricing';
import { Table, Td, Th, Tr } from '@penstock/ui';
import Link from 'next/link';

const PARTS: readonly { favours: Favoured; title: string; id: string }[] = [
  { favours: 'Penstock', title: 'In our favor', id: 'ours' },
  { favours: 'Rivals', title: 'In favor of other systems', id: 'others' },
];

/** Every default that favours someone, with the reason it stands. */
export function DefaultsPage() {
  const neutral = DEFAULT_NOTES.filter((note) => note.favours === 'Nobody').length;
  return (
    <div className="mx-auto max-w-6xl px-4 py-10 sm:px-8 sm:py-14">
      <header className="max-w-3xl">
        <p className="text-sm">
          <Link href="/pricing" className="rounded text-accent-ink underline underline-offset-4">
            Pricing
          </Link>
        </p>
        <h1 className="mt-2 font-semibold text-3xl text-ink tracking-tight sm:text-4xl">Whom our defaults favor</h1>
        <p className="mt-3 text-ink-2 leading-7">
          A calculator is as fair as its defaults. Here is each one that favors us or another system, and why it stands.
          You can change all of them. The other {neutral} favor nobody: units, figures as published, and what is the
          same for every system.
        </p>
      </header>
      {PARTS.map(({ favours, title, id }) => (
        <section key={favours} aria-labelledby={id} className="mt-10">
          <h2 id={id} className="font-semibold text-ink text-xl tracking-tight">
            {title} ({notesFavouring(favours).length})
          </h2>
          <div className="mt-4 overflow-hidden rounded-xl border border-line bg-surface">
            <Table label={title} stacks>
              <thead>
                <tr>
                  <Th>Assumption</Th>
                  <Th>Default</Th>
                  <Th>Why it stands</Th>
                </tr>
              </thead>
              <tbody>
                {notesFavouring(favours).map((note) => (
                  <Tr key={note.id}>
                    <Td className="align-top text-ink sm:w-64" stack="title">
                      {note.what}
                    </Td>
                    <Td className="nums align-top sm:w-56" stack="foot" label="Default:">
                      {note.value ?? 'not counted'}
                    </Td>
                    <Td className="align-top leading-6" stack="foot">
                      {note.why}
                    </Td>
                  </Tr>
                ))}
              </tbody>
            </Table>
          </div>
        </section>
      ))}
    </div>
  );
}
