// Inputs of the transaction procedures. Client-safe: imports only zod and pure modules.
import { transactionStates } from '@penstock/clusters/inputs';
import { z } from 'zod';

/** `state`: Kafka's name; all producers if omitted. */
export const listTransactionsInput = z.object({ clusterId: z.uuid(), state: z.enum(transactionStates).optional() });

const transactionalId = z.string().min(1).max(10_000);

export const getTransactionInput = z.object({ clusterId: z.uuid(), transactionalId });

/** `confirmation`: the exact transactional ID, typed by the user. */
export const abortTransactionInput = getTransactionInput.extend({ confirmation: z.string().max(10_000) });
