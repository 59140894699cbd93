// What must hold before and after a command.
import type { CommandKind, CommandOf } from '../model/command.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Outline } from './outline.ts';

/** Checks the state and the outcome after a command. @throws InvariantError */
export type After<K extends CommandKind> = (outcome: Outcome<K>) => void;

/**
 * Checks what must hold before a command, and notes what its postconditions compare.
 * @param before the state's counts
 * @throws InvariantError
 */
export type Conditions<K extends CommandKind> = (
  before: Outline,
  state: ClusterState,
  command: CommandOf<K>,
  nowMs: number,
) => After<K>;
