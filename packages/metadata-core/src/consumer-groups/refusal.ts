// Why a member of the new protocol is refused: the error code of Kafka's protocol, and a message for people.
import type { ErrorCode } from '../model/error-code.ts';

export interface Refusal {
  readonly errorCode: ErrorCode;
  readonly errorMessage: string;
}

export function isRefusal(value: object): value is Refusal {
  return 'errorCode' in value;
}
