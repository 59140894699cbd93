// What a failed procedure says to a person: what happened, what to do about it, and which input it is about.

export interface Failure {
  message: string;
  remedy: string | undefined;
  field: string | undefined;
  code: string | undefined;
}

const UNREACHABLE: Failure = {
  message: 'We couldn’t reach the server. Nothing was changed.',
  remedy: 'Check your connection and try again.',
  field: undefined,
  code: 'unreachable',
};

function textOf(record: object, name: string): string | undefined {
  const value: unknown = Reflect.get(record, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads the answer of a refused procedure; an error without an answer means that the server was not reached. */
export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) {
    return UNREACHABLE;
  }
  const data: unknown = Reflect.get(error, 'data');
  if (typeof data !== 'object' || data === null) {
    return UNREACHABLE;
  }
  return {
    message: error.message,
    remedy: textOf(data, 'remedy'),
    field: textOf(data, 'field'),
    code: textOf(data, 'appCode') ?? textOf(data, 'code'),
  };
}

/**
 * Whether nothing is at an address: its id is unknown here, or is no id at all.
 * @param idField the input that comes from the address, e.g. `clusterId`
 */
export function isNotFound({ code, field }: Failure, idField: string): boolean {
  return code?.endsWith('_not_found') === true || (code === 'input_invalid' && field === idField);
}

/** Message and remedy as one text, for a form field. */
export function failureText(failure: Failure): string {
  return failure.remedy === undefined ? failure.message : `${failure.message} ${failure.remedy}`;
}
