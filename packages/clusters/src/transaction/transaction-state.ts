/** Kafka's states of a transactional producer. A transaction ends in one step, so there is no prepared state. Client-safe. */
export const transactionStates = ['Ongoing', 'Empty', 'CompleteCommit', 'CompleteAbort'] as const;
export type TransactionState = (typeof transactionStates)[number];
