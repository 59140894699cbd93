// Formats of settings that the head of a snapshot does not hold: in the journal the command about client metrics, in snapshots the
// subscriptions, the retention of offsets, and what batches may decompress to. A cluster in which all have their first values has no such
// section.

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { AlterClientMetrics } from '../model/client-metrics.types.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { DEFAULT_OFFSETS_RETENTION_MINUTES, FORMER_MAX_UNCOMPRESSED_BATCH_BYTES } from '../model/limits.ts';
import type { ClusterSettings } from '../model/settings.ts';
import { boolean, type Field, list, map, record, text, unsigned } from './field.ts';
import type { Item } from './section.ts';
import { configOpsCodec } from './topic-commands.ts';

export const alterClientMetricsCodec: Field<Omit<AlterClientMetrics, 'kind'>> = record({
  subscriptions: list(record({ name: text, ops: configOpsCodec })),
  validateOnly: boolean,
});

/** The first byte of an item, which identifies its content. */
const ITEM = { offsetsRetention: 1, subscription: 2, maxUncompressedBatchBytes: 3 } as const;

const configsCodec = map(text, text) as Field<ReadonlyMap<string, string>>;

/** The settings that the head of a snapshot does not contain. */
export function* laterSettingItems(settings: ClusterSettings): Iterable<Item> {
  const { offsetsRetentionMinutes, clientMetrics, maxUncompressedBatchBytes } = settings;
  if (maxUncompressedBatchBytes !== FORMER_MAX_UNCOMPRESSED_BATCH_BYTES) {
    yield (to) => {
      to.byte(ITEM.maxUncompressedBatchBytes);
      unsigned.write(to, maxUncompressedBatchBytes);
    };
  }
  if (offsetsRetentionMinutes !== DEFAULT_OFFSETS_RETENTION_MINUTES) {
    yield (to) => {
      to.byte(ITEM.offsetsRetention);
      unsigned.write(to, offsetsRetentionMinutes);
    };
  }
  for (const [name, configs] of clientMetrics) {
    yield (to) => {
      to.byte(ITEM.subscription);
      text.write(to, name);
      configsCodec.write(to, configs);
    };
  }
}

/** Adds the next item. */
export function readLaterSetting(from: ByteReader, settings: ClusterSettings): void {
  const kind = from.byte();
  switch (kind) {
    case ITEM.offsetsRetention:
      settings.offsetsRetentionMinutes = unsigned.read(from);
      break;
    case ITEM.maxUncompressedBatchBytes:
      settings.maxUncompressedBatchBytes = unsigned.read(from);
      break;
    case ITEM.subscription: {
      const name = text.read(from);
      settings.clientMetrics = new Map([...settings.clientMetrics, [name, configsCodec.read(from)]]);
      break;
    }
    default:
      throw new CorruptDataError(`snapshot: no item of the section of later settings has the kind ${kind}`);
  }
}
