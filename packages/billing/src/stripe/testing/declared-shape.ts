// A type of the library's declarations, in a form that values can be checked against.
import ts from 'typescript';
import type { FormValue } from './form-body.ts';

export type Shape =
  | { kind: 'text' }
  | { kind: 'literal'; value: string }
  | { kind: 'number' }
  | { kind: 'boolean' }
  | { kind: 'list'; element: () => Shape }
  | { kind: 'map'; value: () => Shape }
  | { kind: 'object'; name: string; fields: () => Map<string, { isOptional: boolean; shape: () => Shape }> }
  | { kind: 'union'; options: Shape[] };

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function objectShape(checker: ts.TypeChecker, type: ts.Type): Shape {
  const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
  if (index !== undefined) {
    return { kind: 'map', value: once(() => shapeOf(checker, index.type)) };
  }
  return {
    kind: 'object',
    name: checker.typeToString(type),
    fields: once(
      () =>
        new Map(
          checker.getPropertiesOfType(type).map((property) => [
            property.name,
            {
              isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
              shape: once(() => shapeOf(checker, checker.getTypeOfSymbol(property))),
            },
          ]),
        ),
    ),
  };
}

/** The declarations leave enumerations open (`'a' | 'b' | OtherString`); here only the named values are accepted. */
function unionShape(checker: ts.TypeChecker, types: readonly ts.Type[]): Shape {
  const named = types.filter((type) => (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0);
  const hasNames = named.some((type) => type.isStringLiteral() && type.value !== '');
  const options = named.filter((type) => !(hasNames && type.isIntersection())).map((type) => shapeOf(checker, type));
  const [first] = options;
  if (first !== undefined && (options.length === 1 || options.every((option) => option.kind === 'boolean'))) {
    return first;
  }
  return { kind: 'union', options };
}

export function shapeOf(checker: ts.TypeChecker, type: ts.Type): Shape {
  if (type.flags & ts.TypeFlags.Boolean) {
    return { kind: 'boolean' };
  }
  if (type.isUnion()) {
    return unionShape(checker, type.types);
  }
  if (type.isStringLiteral()) {
    return { kind: 'literal', value: type.value };
  }
  if (type.flags & ts.TypeFlags.StringLike || type.isIntersection()) {
    return { kind: 'text' };
  }
  if (type.flags & ts.TypeFlags.NumberLike) {
    return { kind: 'number' };
  }
  if (type.flags & ts.TypeFlags.BooleanLike) {
    return { kind: 'boolean' };
  }
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    if (element === undefined) {
      throw new Error('An array type has no element type');
    }
    return { kind: 'list', element: once(() => shapeOf(checker, element)) };
  }
  // The library sends decimals as text.
  if (type.symbol?.name === 'Decimal') {
    return { kind: 'number' };
  }
  if (type.flags & ts.TypeFlags.Object) {
    return objectShape(checker, type);
  }
  throw new Error(`The declarations hold a type that is not understood: ${checker.typeToString(type)}`);
}

function describe(value: FormValue): string {
  return JSON.stringify(value).slice(0, 80);
}

/** The faults of a value, one sentence each; empty if it matches. */
export function faultsOf(shape: Shape, value: FormValue, at: string): string[] {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? [] : [`${at} is no text: ${describe(value)}`];
    case 'literal':
      return value === shape.value ? [] : [`${at} is not ${JSON.stringify(shape.value)}: ${describe(value)}`];
    case 'number':
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
        ? []
        : [`${at} is no number: ${describe(value)}`];
    case 'boolean':
      return value === 'true' || value === 'false' ? [] : [`${at} is no boolean: ${describe(value)}`];
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((element, index) => faultsOf(shape.element(), element, `${at}[${index}]`))
        : [`${at} is no list: ${describe(value)}`];
    case 'map':
      return typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(value).flatMap(([name, inner]) => faultsOf(shape.value(), inner, `${at}[${name}]`))
        : [`${at} is no object: ${describe(value)}`];
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
        ? fieldFaults(shape.fields(), value, at)
        : [`${at} is no object: ${describe(value)}`];
    case 'union': {
      const faults = shape.options.map((option) => faultsOf(option, value, at));
      return faults.some((list) => list.length === 0) ? [] : [`${at} is none of what is declared: ${describe(value)}`];
    }
  }
}

/** Unknown, mistyped and missing fields. */
export function fieldFaults(
  fields: ReadonlyMap<string, { isOptional: boolean; shape: () => Shape }>,
  values: Readonly<Record<string, FormValue>>,
  at: string,
): string[] {
  const faults = Object.entries(values).flatMap(([name, value]) => {
    const field = fields.get(name);
    const place = at === '' ? name : `${at}[${name}]`;
    return field === undefined ? [`${place} is not declared`] : faultsOf(field.shape(), value, place);
  });
  for (const [name, { isOptional }] of fields) {
    if (!isOptional && values[name] === undefined) {
      faults.push(`${at === '' ? name : `${at}[${name}]`} is missing`);
    }
  }
  return faults;
}
