// The names that formulas may use. The compiler checks every formula against them.
import type { MachineRole } from '../catalogue/index.ts';
import type { InputSymbol } from '../inputs/keys.ts';

/** Cells of the models, and those that they share. */
export type CellSymbol =
  | 'agents'
  | 'brokers'
  | 'compaction_get_s'
  | 'compaction_put_s'
  | 'control_in_s'
  | 'control_out_s'
  | 'cores'
  | 'cross'
  | 'disk_gb'
  | 'get_s'
  | 'local_d'
  | 'long_runs_get_s'
  | 'max_disk_gb'
  | 'metadata_zone'
  | 'month_s'
  | 'network_mb_s'
  | 'nodes'
  | 'put_s'
  | 'replicas_crossing'
  | 'retention_s'
  | 'stored_gb'
  | 'stored_gib'
  | 'tier_put_s'
  | 'wire'
  | 'wire_gb'
  | 'wire_gib_s'
  | 'wire_mib_s'
  | 'wire_zone'
  | 'written'
  | 'written_gib'
  | 'written_gib_s';

/** Values that the engine provides: choices as numbers, the machine, the limits of the price book. */
export type EngineSymbol =
  | 'unit_bytes'
  | 'compressed'
  | 'basis_core_s'
  | 'basis_alike'
  | 'basis_sizing'
  | 'month_h'
  | 'gb'
  | 'zone_bytes'
  | 'dev_mib_s'
  | 'dev_partitions'
  | `${MachineRole}_${'vcpus' | 'mb_s' | 'disk_gb'}`;

type Mark = ' ' | '(' | ')' | ',' | '+' | '−' | '×' | '÷';
type Words<Text extends string, Word extends string = '', Found = never> = Text extends `${infer First}${infer Rest}`
  ? First extends Mark
    ? Words<Rest, '', Found | Word>
    : `${ModelFormula}` extends First
      ? Words<Rest, Word, Found>
      : Words<Rest, `${Word}${First}`, Found>
  : Found | Word;
type Unknown<Text extends string> = Exclude<
  Words<Text>,
  CellSymbol | EngineSymbol | InputSymbol | 'ceil' | 'max' | 'min' | `${number}` | ''
>;

declare const checked: unique symbol;
/** The text of a formula whose every name exists. */
export type ModelFormula = string & { readonly [checked]: true };

/** A formula. It does not compile when it uses a name that no cell, input or value of the engine has. */
export function formula<const Text extends string>(
  text: [Unknown<Text>] extends [never] ? Text : `no cell and no input is named ${Unknown<Text> & string}`,
): ModelFormula {
  // The parameter's type has checked it.
  return text as string as ModelFormula;
}
