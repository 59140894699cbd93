// All routes of the public API, from the declarations of the operations. The OpenAPI document, the handler and the tests
// of all routes read this table.
import { z } from 'zod';
import { cursorOf } from '../operation/cursor.ts';
import type { Route } from '../operation/route.ts';
import { type Operation, operationsByPath } from '../operations-by-path.ts';

export const routes: readonly Route[] = [...operationsByPath].flatMap(([path, operation]) => routesOf(path, operation));

function routesOf(path: string, { input, example, order, routes: declared }: Operation): Route[] {
  if (declared.length > 0 && input !== undefined && !(input instanceof z.ZodObject)) {
    throw new Error(`${path}: its input is no object.`);
  }
  if (order === undefined && declared.some(({ answer }) => answer.kind === 'list')) {
    throw new Error(`${path}: its route is a list, and the operation is not declared as one.`);
  }
  return declared.map((route) => ({
    ...route,
    procedure: path,
    input: input instanceof z.ZodObject ? input : undefined,
    ...(example === undefined ? {} : { example }),
    ...(order === undefined ? {} : { order: { cursor: cursorOf(route.id, order.key), keyOf: order.keyOf } }),
  }));
}
