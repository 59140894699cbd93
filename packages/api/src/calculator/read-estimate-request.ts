// Converts a JSON body to the calculator's state. Strict: an unknown member is an error at its path.
import { type CalculatorState, INPUTS, parseState, WORKLOAD_KEYS } from '@penstock/pricing';
import type { RestRequest } from '../rest/exchange.ts';
import { type FieldProblem, HttpRefusal } from '../rest/problem.ts';
import { readJson } from '../rest/read-json.ts';

const SECTIONS = { workload: '', assumptions: '', pins: 'pin.', prices: 'price.' } as const;
type Section = keyof typeof SECTIONS;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Checks a parsed body. Errors name their place as JSON pointers. */
export function stateOfBody(body: unknown): { state: CalculatorState; errors: readonly FieldProblem[] } {
  const errors: FieldProblem[] = [];
  const fields: (readonly [string, string])[] = [];
  const pointers = new Map<string, string>();
  const add = (field: string, pointer: string, value: unknown): void => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      errors.push({ pointer, detail: 'Use a string, a number or a boolean.' });
      return;
    }
    fields.push([field, String(value)]);
    pointers.set(field, pointer);
  };
  if (!isRecord(body)) {
    return {
      state: parseState([]).state,
      errors: [{ pointer: '#', detail: 'Use an object with workload and assumptions.' }],
    };
  }
  for (const [section, content] of Object.entries(body)) {
    if (section === 'asOf') {
      add('asOf', '#/asOf', content);
    } else if (!Object.hasOwn(SECTIONS, section)) {
      errors.push({ pointer: `#/${escapePointer(section)}`, detail: 'Unknown field.' });
    } else if (!isRecord(content)) {
      errors.push({ pointer: `#/${section}`, detail: 'Use an object.' });
    } else {
      for (const [key, value] of Object.entries(content)) {
        const pointer = `#/${section}/${escapePointer(key)}`;
        const ofWorkload = WORKLOAD_KEYS.includes(key);
        const known =
          section === 'workload'
            ? ofWorkload
            : section === 'assumptions'
              ? !ofWorkload && INPUTS.some((spec) => spec.key === key)
              : true;
        if (known) {
          add(`${SECTIONS[section as Section]}${key}`, pointer, value);
        } else {
          errors.push({ pointer, detail: `Unknown field in ${section}.` });
        }
      }
    }
  }
  const parsed = parseState(fields);
  for (const [field, detail] of Object.entries(parsed.errors)) {
    errors.push({ pointer: pointers.get(field) ?? '#', detail });
  }
  return { state: parsed.state, errors };
}

/**
 * Reads and checks an estimate request. An empty body requests the default.
 * @throws HttpRefusal
 */
export async function readEstimateRequest(request: RestRequest): Promise<CalculatorState> {
  const { state, errors } = stateOfBody((await readJson(request)) ?? {});
  if (errors.length > 0) {
    throw new HttpRefusal(422, 'input_invalid', `${errors.length} of the fields are invalid. See errors.`, {
      errors: [...errors],
    });
  }
  return state;
}
