// Changes of configs, op by op.
import { ErrorCode } from '../model/error-code.ts';
import type { ClusterMode } from '../model/settings.ts';
import type { ConfigOp } from '../model/topics.types.ts';
import {
  configConflict,
  configProblem,
  effectiveConfig,
  isListConfig,
  listItems,
  modeProblem,
} from './topic-configs.ts';
import type { Refusal } from './topic-result.ts';

/** Changes `configs` by all ops. Null: done. Otherwise the reason; some ops may have been applied. */
export function applyConfigOps(
  configs: Map<string, string>,
  ops: readonly ConfigOp[],
  mode: ClusterMode,
): Refusal | null {
  const named = new Set<string>();
  for (const op of ops) {
    if (named.has(op.name)) {
      return { errorCode: ErrorCode.INVALID_REQUEST, message: `The request alters ${op.name.slice(0, 100)} twice.` };
    }
    named.add(op.name);
    if ((op.kind === 'append' || op.kind === 'subtract') && !isListConfig(op.name)) {
      const message = `${op.name.slice(0, 100)} is not a list: use set instead of ${op.kind}.`;
      return { errorCode: ErrorCode.INVALID_CONFIG, message };
    }
    const value = configAfter(effectiveConfig(configs, op.name), op);
    const wanted = value ?? effectiveConfig(new Map(), op.name);
    // A tool that states all configs once more changes nothing.
    const isChanged = configs.get(op.name) !== wanted;
    const problem = configProblem(op.name, wanted) ?? (isChanged ? modeProblem(op.name, wanted, mode) : null);
    if (problem !== null) {
      return { errorCode: ErrorCode.INVALID_CONFIG, message: problem };
    }
    if (value === null) {
      configs.delete(op.name);
    } else {
      configs.set(op.name, value);
    }
  }
  const conflict = configConflict(configs);
  return conflict === null ? null : { errorCode: ErrorCode.INVALID_CONFIG, message: conflict };
}

/** A config's value after the op. Null: the default. */
export function configAfter(before: string, op: ConfigOp): string | null {
  const items = listItems(before);
  switch (op.kind) {
    case 'set':
      return op.value;
    case 'delete':
      return null;
    case 'append':
      return [...items, ...listItems(op.value).filter((item) => !items.includes(item))].join(',');
    case 'subtract': {
      const gone = listItems(op.value);
      return items.filter((item) => !gone.includes(item)).join(',');
    }
  }
}
