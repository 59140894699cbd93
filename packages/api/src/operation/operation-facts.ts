// What an operation declares about itself, as the router, the public API and the tests read it.
import type { AuditAction, OrganizationScope, Permission } from '@penstock/tenancy';
import type { z } from 'zod';
import type { Confirmation } from './confirmation.ts';
import type { CursorKey } from './cursor.ts';
import type { DeclaredRoute, RouteInput } from './route.ts';

/** Who may call an operation: anybody, signed-in users, or members whose role holds a permission. */
export type Access = 'anyone' | 'signed-in' | Permission;

/** Why an operation does not do what others of its kind do. */
export interface Not {
  not: string;
}

/** The order of a list, by which its pages are read. */
export interface ListOrder {
  key: z.ZodType<CursorKey>;
  keyOf: (item: unknown) => CursorKey;
}

export interface OperationFacts {
  access: Access;
  /** Undefined if it takes no input. */
  input: z.ZodType | undefined;
  /** Open to every member: it leaves out clusters that the caller has no role for. */
  isFiltered: boolean;
  /** About the organization as a whole, although its permission is one that a role for a cluster can give. */
  isOrganizationWide: boolean;
  /** Finds the cluster of what an input names, if the input has no `clusterId`. */
  clusterOf: ((scope: OrganizationScope, rawInput: unknown) => Promise<string | null>) | undefined;
  /** Undefined for what only reads. */
  confirmation: Confirmation | Not | undefined;
  audit: readonly AuditAction[] | Not;
  /** Undefined if it is no list. */
  order: ListOrder | undefined;
  example: RouteInput | undefined;
  routes: readonly DeclaredRoute[];
  /** Instead of routes: why only the dashboard has it, or which operations of the public API return the whole. */
  unserved: string | { answeredBy: readonly string[] } | undefined;
}
