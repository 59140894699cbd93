// Generated inputs for every operation of the dashboard: its forms send what these calls send. Whatever comes, callers get an
// answer or a refusal, never a defect of ours.
import type { AuthSession } from '@penstock/identity';
import { newId } from '@penstock/platform';
import { runFuzz } from '@penstock/testing/fuzz';
import { TRPCError } from '@trpc/server';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Operation, operationsByPath } from './operations-by-path.ts';
import { arbitraryInput } from './testing/arbitrary-input.ts';
import { setUpInstallation } from './testing/installation.ts';
import { newTarget, type Target } from './testing/new-target.ts';
import { populatedMetadata } from './testing/populated-metadata.ts';
import { readAll } from './testing/read-all.ts';
import { sampleInput } from './testing/sample-input.ts';

const installation = setUpInstallation();
let organizationId: string;
let otherOrganizationId: string;
let owner: AuthSession;
let target: Target;

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  otherOrganizationId = await installation.newOrganization();
});

interface Called extends Operation {
  path: string;
  shape: Readonly<Record<string, z.core.$ZodType>>;
}

const operations: readonly Called[] = [...operationsByPath].flatMap(([path, operation]) =>
  operation.input instanceof z.ZodObject ? [{ ...operation, path, shape: operation.input.shape }] : [],
);

type Call = (input: unknown) => Promise<unknown>;

/** Returns the error behind a defect; undefined for an answer or a refusal. */
async function defectOf({ path, type }: Called, input: unknown): Promise<unknown> {
  const [group = '', name = ''] = path.split('.');
  const caller = installation.caller(owner, installation.backend({ metadata: populatedMetadata }));
  const call = (caller as unknown as Record<string, Record<string, Call>>)[group]?.[name];
  if (call === undefined) {
    throw new Error(`There is no procedure ${path}.`);
  }
  try {
    await readAll(await call(input));
    isChanged ||= type !== 'query';
    return undefined;
  } catch (error) {
    if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') {
      return undefined;
    }
    isChanged = true;
    return error;
  }
}

/** Whether a call has changed what the target has. Creating it takes most of a call's time. */
let isChanged = true;
let kind = '';

async function goodInput(operation: Called): Promise<Record<string, unknown>> {
  const wanted = `${operation.access} ${operation.path === 'cluster.restore'}`;
  if (isChanged || wanted !== kind) {
    // A call may have removed the last one.
    owner = await installation.newPerson({ organizationId, role: 'owner' });
    target = await newTarget(installation, operation, { organizationId, otherOrganizationId, owner });
    isChanged = false;
    kind = wanted;
  }
  return sampleInput(operation, { ...target }) ?? {};
}

/** Texts in an input: each as a path of names to it. */
function textsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') {
    return [path];
  }
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? Object.entries(value).flatMap(([name, part]) => textsIn(part, [...path, name]))
    : [];
}

function replaced(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) {
    return text;
  }
  const part = replaced(Reflect.get(Object(value), name), rest, text);
  return Array.isArray(value) ? value.with(Number(name), part) : { ...Object(value), [name]: part };
}

/** The places for texts that an input has or may have. */
function placesIn({ shape }: Called, input: Readonly<Record<string, unknown>>): (readonly string[])[] {
  const further = Object.keys(shape).filter((name) => !Object.hasOwn(input, name));
  return [...textsIn(input), ...further.map((name) => [name])];
}

describe.each(operations.map((operation) => [operation.path, operation] as const))('%s', (_path, operation) => {
  test('refuses text that PostgreSQL cannot store', async () => {
    const found: string[] = [];
    for (const place of placesIn(operation, await goodInput(operation))) {
      for (const text of ['a\0b', '\ud800']) {
        const error = await defectOf(operation, replaced(await goodInput(operation), place, text));
        if (error !== undefined) {
          found.push(`${place.join('.')} = ${JSON.stringify(text)}: ${String(error)}`);
        }
      }
    }
    expect(found).toEqual([]);
  });
});

/** Stands for the target until a property runs. */
const placeholders: Target = {
  clusterId: newId(),
  clusterName: 'placeholder',
  agentKeyId: newId(),
  apiKeyId: newId(),
  organizationId: newId(),
  userId: newId(),
  invitationId: newId(),
  token: newId(),
  silenceId: newId(),
  invoiceId: newId(),
  invoice: newId(),
  domainId: newId(),
  tokenId: newId(),
  sessionId: newId(),
};

test('every operation answers or refuses generated inputs', async () => {
  const calls = fc.constantFrom(...operations).chain((operation) => {
    const first = sampleInput(operation, { ...placeholders }) ?? {};
    return arbitraryInput(operation.shape, first).map((input) => ({ path: operation.path, first, input }));
  });
  const property = fc.asyncProperty(calls, async ({ path, first, input }) => {
    const operation = operations.find((known) => known.path === path);
    if (operation === undefined) {
      throw new Error(`There is no operation ${path}.`);
    }
    const good = await goodInput(operation);
    const given = Object.entries(input).map(([name, value]) => [name, value === first[name] ? good[name] : value]);
    expect(await defectOf(operation, Object.fromEntries(given))).toBeUndefined();
  });
  await runFuzz('forms', 'operations', 150, property);
});
