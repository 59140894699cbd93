// Generates inputs of operations from their schemas: of the right kind, with hostile contents, so that the use-case sees
// them and not only the schema.
import { hostileNumber, hostileText, hostileValue } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { z } from 'zod';

const texts = fc.oneof(
  { weight: 3, arbitrary: hostileText(300) },
  { weight: 1, arbitrary: fc.uuid() },
  // Under names that nobody owns: some operations look them up.
  {
    weight: 2,
    arbitrary: fc.constantFrom('https://login.example.com/', 'https://a.invalid:1/x?y#z', 'a.invalid', 'a@example.com'),
  },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z][a-z0-9._-]{0,30}$/) },
  { weight: 1, arbitrary: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()) },
);

const smallNumbers = fc.oneof(fc.nat(100), hostileNumber);

/** Values that a schema takes, or that differ from those in their contents only. */
export function arbitraryValue(schema: z.core.$ZodType, depth = 0): fc.Arbitrary<unknown> {
  const inner = (part: z.core.$ZodType): fc.Arbitrary<unknown> =>
    depth > 6 ? fc.constant(null) : arbitraryValue(part, depth + 1);
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) {
    return texts;
  }
  if (schema instanceof z.ZodNumber) {
    return smallNumbers;
  }
  if (schema instanceof z.ZodBoolean) {
    return fc.boolean();
  }
  if (schema instanceof z.ZodDate) {
    return fc.date();
  }
  if (schema instanceof z.ZodBigInt) {
    return fc.bigInt();
  }
  if (schema instanceof z.ZodEnum) {
    return fc.constantFrom(...schema.options);
  }
  if (schema instanceof z.ZodLiteral) {
    return fc.constantFrom(...schema.values);
  }
  if (schema instanceof z.ZodArray) {
    return fc.array(inner(schema.element), { maxLength: 3 });
  }
  if (schema instanceof z.ZodTuple) {
    return fc.tuple(...schema.def.items.map(inner));
  }
  if (schema instanceof z.ZodObject) {
    return fc.record(Object.fromEntries(Object.entries(schema.shape).map(([name, part]) => [name, inner(part)])));
  }
  if (schema instanceof z.ZodRecord) {
    return fc.dictionary(hostileText(20), inner(schema.valueType), { maxKeys: 3 });
  }
  if (schema instanceof z.ZodUnion) {
    return fc.oneof(...schema.options.map(inner));
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return inner(schema.unwrap());
  }
  if (schema instanceof z.ZodNullable) {
    return fc.oneof(fc.constant(null), inner(schema.unwrap()));
  }
  if (schema instanceof z.ZodPipe) {
    return inner(schema.in);
  }
  return hostileValue;
}

/** An input near the good one: most fields stay, so that the rest is not refused for them. */
export function arbitraryInput(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  good: Readonly<Record<string, unknown>>,
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const isGiven = Object.hasOwn(good, name);
    return fc
      .oneof(
        { weight: 6, arbitrary: fc.constant(isGiven ? [good[name]] : []) },
        { weight: 3, arbitrary: arbitraryValue(schema).map((value) => [value]) },
        { weight: 1, arbitrary: hostileValue.map((value) => [value]) },
      )
      .map((values) => values.map((value): [string, unknown] => [name, value]));
  });
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries.flat()));
}
