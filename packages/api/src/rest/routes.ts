// All routes of the public API, from the declarations of the operations. The OpenAPI document, the handler and the tests
// of all routes read this table.
import { z } from 'zod';
import type { Route } from '../operation/route.ts';
import { type Operation, operationsByPath } from '../operations-by-path.ts';

export const routes: readonly Route[] = [...operationsByPath].flatMap(([path, operation]) => routesOf(path, operation));

function routesOf(path: string, { input, example, routes: declared }: Operation): Route[] {
  if (declared.length > 0 && input !== undefined && !(input instanceof z.ZodObject)) {
    throw new Error(`${path}: its input is no object.`);
  }
  return declared.map((route) => ({
    ...route,
    procedure: path,
    input: input instanceof z.ZodObject ? input : undefined,
    ...(example === undefined ? {} : { example }),
  }));
}
