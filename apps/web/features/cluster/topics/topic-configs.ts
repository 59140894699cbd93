// Descriptions of the topic configs that have an effect. Pure.
import { formatBytes, formatDurationMs } from '@penstock/units';

export interface EditableConfig {
  name: 'retention.ms' | 'retention.bytes' | 'max.message.bytes';
  label: string;
  /** Kafka's name. */
  defaultValue: string;
  unit: 'ms' | 'bytes';
  /** What -1 means; null when -1 is not allowed. */
  unlimited: string | null;
  about: string;
}

export const editableConfigs: readonly EditableConfig[] = [
  {
    name: 'retention.ms',
    label: 'Retention time',
    defaultValue: '604800000',
    unit: 'ms',
    unlimited: 'records are kept regardless of age',
    about: 'In milliseconds. Older records are deleted.',
  },
  {
    name: 'retention.bytes',
    label: 'Retention size',
    defaultValue: '-1',
    unit: 'bytes',
    unlimited: 'records are kept regardless of size',
    about: 'In bytes per partition. When a partition exceeds it, the oldest records are deleted.',
  },
  {
    name: 'max.message.bytes',
    label: 'Largest batch',
    defaultValue: '1048588',
    unit: 'bytes',
    unlimited: null,
    about: 'In bytes, as sent by the producer. Larger batches are rejected.',
  },
];

/** A value in readable units: `604800000` is 7 d. An invalid value is only explained. */
export function configMeaning({ unit, about, unlimited, defaultValue }: EditableConfig, typed: string): string {
  const text = typed.trim();
  const value = text === '' ? defaultValue : text;
  if (!/^-?\d{1,19}$/.test(value)) {
    return about;
  }
  const meaning = value === '-1' ? unlimited : valueText(unit, Number(value));
  if (meaning === null) {
    return about;
  }
  return `${about} ${text === '' ? 'Default' : 'Now'}: ${meaning}.`;
}

function valueText(unit: EditableConfig['unit'], value: number): string | null {
  if (value < 0) {
    return null;
  }
  if (unit === 'ms') {
    return formatDurationMs(value);
  }
  const quantity = formatBytes(value);
  return `${quantity.value} ${quantity.unit}`;
}
