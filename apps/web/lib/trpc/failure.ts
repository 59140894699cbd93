// Converts a failed procedure call into a message: what happened, what to do, and which input caused it.

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

/** Reads an error response; an error without a response means that the server was unreachable. */
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
 * Whether an address leads nowhere: its id is unknown or malformed.
 * @param idField the input that comes from the address, e.g. `clusterId`
 */
export function isNotFound({ code, field }: Failure, idField: string): boolean {
  return code?.endsWith('_not_found') === true || (code === 'input_invalid' && field === idField);
}

/** Whether the page was opened before a deployment and calls something that the server no longer has. */
export function isOutdated({ code }: Failure): boolean {
  return code === 'page_outdated';
}

/** Message and remedy as one text, for a form field. */
export function failureText(failure: Failure): string {
  return failure.remedy === undefined ? failure.message : `${failure.message} ${failure.remedy}`;
}
