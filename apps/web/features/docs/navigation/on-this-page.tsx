import type { Heading } from '../pages';

/** The page's headings, in a side column where there is room. */
export function OnThisPage({ headings }: { headings: readonly Heading[] }) {
  if (headings.length < 2) {
    return null;
  }
  return (
    <nav
      aria-labelledby="on-this-page"
      className="hidden text-[0.8125rem] xl:sticky xl:top-16 xl:block xl:max-h-[calc(100dvh-4rem)] xl:self-start xl:overflow-y-auto xl:py-12 print:hidden"
    >
      <p id="on-this-page" className="font-medium text-ink-3 text-xs">
        On this page
      </p>
      <ul className="mt-2 border-line border-l">
        {headings.map(({ id, text, depth }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={`block py-1 leading-5 text-ink-2 hover:text-ink ${depth > 2 ? 'pl-6' : 'pl-3'}`}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
