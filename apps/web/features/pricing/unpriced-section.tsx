import { UNPRICED } from '@penstock/pricing';

/** Systems without a row, and why: a reader who misses one should not have to guess. */
export function UnpricedSection() {
  return (
    <section aria-labelledby="unpriced" className="mt-12">
      <h2 id="unpriced" className="font-semibold text-ink text-xl tracking-tight">
        No published price that we could verify
      </h2>
      <p className="mt-1 max-w-prose text-ink-2 text-sm leading-6">
        These systems belong into the comparison. We show no number for them, because we would have to invent it.
      </p>
      <dl className="mt-5 grid gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        {UNPRICED.map(({ name, why, looked }) => (
          <div key={name}>
            <dt className="font-medium text-ink text-sm">{name}</dt>
            <dd className="mt-1 text-ink-2 text-sm leading-6">
              {why} <span className="text-ink-3">Looked up: {looked}.</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
