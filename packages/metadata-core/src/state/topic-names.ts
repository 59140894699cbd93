// Topic names that metrics would confuse: Kafka writes a dot in a topic's name as an underscore there (org.apache.kafka.common.internals.Topic).

/** The names of all topics, by what they look like in metrics. */
export class TopicNames {
  /** Only names with dots or underscores. Several for one key are from before rules level 4. */
  readonly #byMetricName = new Map<string, Set<string>>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) {
      this.add(name);
    }
  }

  add(name: string): void {
    if (!canCollide(name)) {
      return;
    }
    const key = metricName(name);
    const names = this.#byMetricName.get(key);
    if (names === undefined) {
      this.#byMetricName.set(key, new Set([name]));
    } else {
      names.add(name);
    }
  }

  delete(name: string): void {
    const key = metricName(name);
    const names = this.#byMetricName.get(key);
    names?.delete(name);
    if (names?.size === 0) {
      this.#byMetricName.delete(key);
    }
  }

  /** A topic that looks the same in metrics as a new one of this name would. */
  colliding(name: string): string | undefined {
    return this.#byMetricName.get(metricName(name))?.values().next().value;
  }
}

function canCollide(name: string): boolean {
  return name.includes('.') || name.includes('_');
}

function metricName(name: string): string {
  return name.replaceAll('.', '_');
}
