// The names of topics in order, and by what they look like in metrics: Kafka writes a dot in a topic's name as an underscore there
// (org.apache.kafka.common.internals.Topic).
import { OrderedTexts } from './ordered-texts.ts';

/** The names of all topics. */
export class TopicNames {
  readonly inOrder = new OrderedTexts();
  /** Only names with dots or underscores. */
  readonly #byMetricName = new Map<string, string>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) {
      this.add(name);
    }
  }

  add(name: string): void {
    this.inOrder.add(name);
    if (name.includes('.') || name.includes('_')) {
      this.#byMetricName.set(metricName(name), name);
    }
  }

  delete(name: string): void {
    this.inOrder.delete(name);
    const key = metricName(name);
    if (this.#byMetricName.get(key) === name) {
      this.#byMetricName.delete(key);
    }
  }

  /** A topic that looks the same in metrics as a new one of this name would. */
  colliding(name: string): string | undefined {
    return this.#byMetricName.get(metricName(name));
  }
}

function metricName(name: string): string {
  return name.replaceAll('.', '_');
}
