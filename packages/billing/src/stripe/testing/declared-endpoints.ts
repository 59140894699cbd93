// The endpoints as the installed library declares them: paths from the code that calls them, names and types of
// parameters from the declarations. Nothing is written by hand, so the stand-in cannot share a mistake of ours.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { fieldFaults, shapeOf } from './declared-shape.ts';
import type { FormValue } from './form-body.ts';

/** The resources that the product uses. Others are not read. */
const resources = [
  'BillingPortal/Sessions',
  'Charges',
  'Checkout/Sessions',
  'CreditNotes',
  'Customers',
  'Disputes',
  'InvoiceItems',
  'InvoicePayments',
  'Invoices',
  'Refunds',
] as const;

interface Endpoint {
  method: string;
  path: RegExp;
  faults(values: Readonly<Record<string, FormValue>>): string[];
}

export interface DeclaredEndpoints {
  /** The faults of a request; empty if it matches the declaration. */
  faultsOf(method: string, path: string, values: Readonly<Record<string, FormValue>>): string[];
  /** The number of known endpoints. */
  readonly size: number;
}

const library = join(dirname(createRequire(import.meta.url).resolve('stripe')), '..', 'esm');

/** The HTTP method and path that each method of a resource's class calls. */
function readCalls(resource: string): Map<string, { method: string; path: RegExp }> {
  const file = join(library, 'resources', `${resource}.js`);
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const calls = new Map<string, { method: string; path: RegExp }>();
  const visit = (node: ts.Node, within: string | undefined): void => {
    const name = ts.isMethodDeclaration(node) && ts.isIdentifier(node.name) ? node.name.text : within;
    if (
      name !== undefined &&
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === '_makeRequest'
    ) {
      const [method, path] = node.arguments;
      if (method !== undefined && path !== undefined && ts.isStringLiteral(method)) {
        calls.set(name, { method: method.text, path: pathPattern(path) });
      }
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(source, undefined);
  return calls;
}

function pathPattern(node: ts.Expression): RegExp {
  const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (ts.isStringLiteralLike(node)) {
    return new RegExp(`^${quote(node.text)}$`);
  }
  if (!ts.isTemplateExpression(node)) {
    throw new Error(`A path of the library is not understood: ${node.getText()}`);
  }
  const parts = node.templateSpans.map((span) => `[^/]+${quote(span.literal.text)}`);
  return new RegExp(`^${quote(node.head.text)}${parts.join('')}$`);
}

function readEndpoints(program: ts.Program, resource: string): Endpoint[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(library, 'resources', `${resource}.d.ts`));
  if (source === undefined) {
    throw new Error(`The library has no declarations of ${resource}`);
  }
  const calls = readCalls(resource);
  return source.statements.filter(ts.isClassDeclaration).flatMap((declaration) =>
    declaration.members.filter(ts.isMethodDeclaration).flatMap((member): Endpoint[] => {
      const call = calls.get(member.name.getText());
      const parameter = member.parameters.find((candidate) => candidate.name.getText() === 'params');
      if (call === undefined || parameter?.type === undefined) {
        return [];
      }
      const shape = shapeOf(checker, checker.getTypeFromTypeNode(parameter.type));
      if (shape.kind !== 'object' && shape.kind !== 'map') {
        throw new Error(`${resource} takes no object`);
      }
      const fields = shape.kind === 'object' ? shape.fields : () => new Map<string, never>();
      return [{ ...call, faults: (values) => fieldFaults(fields(), values, '') }];
    }),
  );
}

let read: DeclaredEndpoints | undefined;

/** Reads the declarations, once per process (about two seconds). */
export function declaredEndpoints(): DeclaredEndpoints {
  if (read !== undefined) {
    return read;
  }
  const program = ts.createProgram(
    resources.map((resource) => join(library, 'resources', `${resource}.d.ts`)),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      types: [],
      noLib: false,
      target: ts.ScriptTarget.ES2022,
    },
  );
  const endpoints = resources.flatMap((resource) => readEndpoints(program, resource));
  read = {
    size: endpoints.length,
    faultsOf(method, path, values) {
      const endpoint = endpoints
        .filter((candidate) => candidate.method === method && candidate.path.test(path))
        // `/v1/customers/search` also matches `/v1/customers/{id}`: the pattern with fewer parameters comes first.
        .sort((left, right) => left.path.source.split('[^/]+').length - right.path.source.split('[^/]+').length)[0];
      return endpoint === undefined ? [`the library has no call ${method} ${path}`] : endpoint.faults(values);
    },
  };
  return read;
}
