// How topic configs are shown: their values in readable units, and which of them have a form of their own. Pure.
import { type TopicConfigDefinition, topicConfigTable } from '@penstock/clusters/inputs';
import { formatBytes, formatDurationMs } from '@penstock/units';

/** The configs of the short form, with what people call them. All others are on the topic's page. */
const SHORT_FORM: readonly { name: string; label: string }[] = [
  { name: 'retention.ms', label: 'Retention time' },
  { name: 'retention.bytes', label: 'Retention size' },
  { name: 'max.message.bytes', label: 'Largest batch' },
];

export interface EditableConfig extends TopicConfigDefinition {
  label: string;
}

export const editableConfigs: readonly EditableConfig[] = SHORT_FORM.flatMap(({ name, label }) =>
  topicConfigTable.filter((config) => config.name === name).map((config) => ({ ...config, label })),
);

/** Above this, a number of milliseconds or bytes stands for “no limit”: Kafka's largest long. */
const PRACTICALLY_UNLIMITED = 2 ** 62;

/** The meaning of a config, without the words that the heading of its table says already. */
export function meaningText({ meaning }: TopicConfigDefinition): string {
  const text = meaning.replace(/^Has no effect: /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value in readable units, such as `7 d` for 604800000 ms; null when there is nothing to add. */
export function readableValue({ name, type, least }: TopicConfigDefinition, value: string): string | null {
  const isMs = name.endsWith('.ms');
  if (type !== 'integer' || !(isMs || name.endsWith('.bytes')) || !/^-?\d{1,19}$/.test(value)) {
    return null;
  }
  const number = Number(value);
  if (number < 0) {
    return number === -1 && least === '-1' ? 'No limit.' : null;
  }
  if (number > PRACTICALLY_UNLIMITED) {
    return 'No limit.';
  }
  if (isMs) {
    return `${formatDurationMs(number)}.`;
  }
  const quantity = formatBytes(number);
  return `${quantity.value} ${quantity.unit}.`;
}

/** Describes the allowed values; null for free text. */
export function boundsText({ type, least, greatest, values }: TopicConfigDefinition): string | null {
  switch (type) {
    case 'integer':
      return `From ${least} to ${greatest}.`;
    case 'fraction':
      return 'From 0 to 1.';
    case 'list-of':
      return `${values.join(', ')}, or several separated by commas.`;
    default:
      return null;
  }
}

/** The hint of a field of the short form: the config's meaning, and the value in readable units. */
export function configMeaning(config: EditableConfig, typed: string): string {
  const text = typed.trim();
  const readable = readableValue(config, text === '' ? config.default : text);
  return readable === null ? config.meaning : `${config.meaning} ${text === '' ? 'Default' : 'Now'}: ${readable}`;
}
