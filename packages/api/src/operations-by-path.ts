// All operations with what they declare, by their path in the router, such as `topic.create`.
import { appRouter } from './app-router.ts';
import type { OperationFacts } from './operation/operation-facts.ts';

export interface Operation extends OperationFacts {
  type: 'query' | 'mutation' | 'subscription';
}

/** tRPC keeps procedures flat, although its types say otherwise. */
const procedures = appRouter._def.procedures as unknown as Readonly<
  Record<string, { _def: { type: Operation['type']; meta: OperationFacts } }>
>;

export const operationsByPath: ReadonlyMap<string, Operation> = new Map(
  Object.entries(procedures).map(([path, { _def }]) => [path, { ..._def.meta, type: _def.type }]),
);
