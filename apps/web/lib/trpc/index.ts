// Client-safe door to the procedures of @penstock/api.
export { CONFIRMATION_REQUIRED, type Confirmations } from './confirmations';
export { type Failure, failureText, isNotFound, toFailure } from './failure';
export { FailureNotice } from './failure-notice';
export { QueryState } from './query-state';
export { useOrganizationQuery } from './tab-organization';
export { type RouterOutputs, useTRPC } from './trpc-context';
export { ApiProvider } from './trpc-provider';
export { useConfirmations } from './use-confirmations';
export { type Answers, WithAnswers } from './with-answers';
