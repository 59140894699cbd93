// The limits of an agent key as forms and tables show them. Pure.
/** What the fields hold. */
export interface LimitTexts {
  lifetimeDays: string;
  networks: string;
  addresses: string;
}

export const NO_LIMITS: LimitTexts = { lifetimeDays: '', networks: '', addresses: '' };

/** The fields as input of the API. Empty fields are no limit. */
export function limitsOf({ lifetimeDays, networks, addresses }: LimitTexts) {
  return {
    lifetimeDays: lifetimeDays.trim() === '' ? null : Number(lifetimeDays),
    networks: listOf(networks),
    addresses: listOf(addresses),
  };
}

/** The first fault of each field: that of a list may be about one of its words, such as `networks.1`. */
export function faultsByField(faults: Readonly<Record<string, string>>): Record<string, string> {
  const byField: Record<string, string> = {};
  for (const [path, fault] of Object.entries(faults)) {
    byField[path.split('.')[0] ?? path] ??= fault;
  }
  return byField;
}

/** Words separated by commas, spaces or lines. */
function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
