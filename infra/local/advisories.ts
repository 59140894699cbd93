// Fails when a locked package has a known vulnerability: by the advisories of the npm registry where it serves them, and by the version floors,
// whose last review it reports. Run it by hand with `node infra/local/advisories.ts`.
import { npmPackages, readLockfiles, reviewReport, versionFaults } from './version-floors.ts';

const TIMEOUT_MS = 20_000;

/** A registry's advisory for one vulnerability of a package. */
interface Advisory {
  title: string;
  severity: string;
  url: string;
  vulnerable_versions: string;
}

/** Returned instead of advisories. */
export interface NoService {
  reason: string;
}

/**
 * Asks the registry's service, the one that `npm audit` uses, about these packages.
 * @returns one line per vulnerability, or why the registry did not answer
 */
export async function registryAdvisories(
  registryUrl: string,
  packages: Readonly<Record<string, readonly string[]>>,
  fetchFrom: typeof fetch = fetch,
): Promise<string[] | NoService> {
  const url = new URL('-/npm/v1/security/advisories/bulk', registryUrl.endsWith('/') ? registryUrl : `${registryUrl}/`);
  let answer: Response;
  try {
    answer = await fetchFrom(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(packages),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  if (answer.status !== 200) {
    await answer.body?.cancel();
    return { reason: `status ${answer.status}` };
  }
  const found = (await answer.json()) as Record<string, Advisory[]>;
  return Object.entries(found).flatMap(([name, advisories]) =>
    advisories.map(
      ({ title, severity, url: page, vulnerable_versions: versions }) =>
        `${name} ${packages[name]?.join(', ')} (affected: ${versions}), ${severity}: ${title}. ${page}`,
    ),
  );
}

/**
 * All faults, in words. The notes say what could not be checked, and how long ago the floors were reviewed.
 * @param reviewedOn the day of that review, if not the recorded one
 */
export async function findFaults(
  nowMs: number,
  ask: typeof registryAdvisories = registryAdvisories,
  reviewedOn?: string,
): Promise<{ faults: string[]; notes: string[] }> {
  const texts = readLockfiles();
  const faults = versionFaults(texts);
  const notes = [reviewReport(nowMs, reviewedOn)];
  const registryUrl = process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/';
  const advisories = await ask(registryUrl, npmPackages(texts['pnpm-lock.yaml']));
  if (Array.isArray(advisories)) {
    faults.push(...advisories);
  } else {
    notes.push(`The npm registry served no advisories (${advisories.reason}); the version floors decide.`);
  }
  notes.push('The registry of crates serves no advisories; the version floors decide.');
  return { faults, notes };
}

if (import.meta.main) {
  const { faults, notes } = await findFaults(Date.now());
  for (const note of notes) {
    console.log(note);
  }
  for (const fault of faults) {
    console.error(fault);
  }
  process.exitCode = faults.length === 0 ? 0 : 1;
}
