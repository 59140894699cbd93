// Samples as they are stored. Everything is a varint but the version in front:
//
//   version (1) · windows · duration ms
//   · counters: count, then (distance from the place before, value) of each that is not 0
//   · gauges: count, then (place, readings, sum signed, and with several readings: min signed, max - min)
//   · requests: count, then (distance of the API's number from the one before, requests)
//   · errors: count, then (distance of the errorKey from the one before, errors)
//   · latencies: count, then (stage, topic class, store as length and ASCII, buckets, then (distance from the bucket before, count))
//
// Golden files in the tests hold this form: a change needs another version, and a reader of both.
import type { Gauge, LatencySeries, Sample } from '../sample/sample.ts';
import { BUCKET_COUNT } from '../sketch/buckets.ts';
import { MalformedSample, VarintReader, VarintWriter } from './varints.ts';

const VERSION = 1;

/** The stored form of a sample. */
export function encodeSample(sample: Sample): Uint8Array {
  const writer = new VarintWriter();
  writer.unsigned(VERSION);
  writer.unsigned(sample.windows);
  writer.unsigned(sample.durationMs);
  writeCounts(
    writer,
    [...sample.counters.entries()].filter(([, value]) => value > 0),
  );
  const gauges = [...sample.gauges.entries()].flatMap(([place, gauge]) =>
    gauge === undefined ? [] : [{ place, gauge }],
  );
  writer.unsigned(gauges.length);
  for (const { place, gauge } of gauges) {
    writer.unsigned(place);
    writer.unsigned(gauge.readings);
    writer.signed(gauge.sum);
    if (gauge.readings === 1) {
      continue;
    }
    writer.signed(gauge.min);
    writer.unsigned(gauge.max - gauge.min);
  }
  writeCounts(writer, [...sample.requests]);
  writeCounts(writer, [...sample.errors]);
  writer.unsigned(sample.latencies.length);
  for (const series of sample.latencies) {
    writeLatency(writer, series);
  }
  return writer.finish();
}

/** @throws MalformedSample for bytes that `encodeSample` did not make, or of a later version */
export function decodeSample(bytes: Uint8Array): Sample {
  const reader = new VarintReader(bytes);
  const version = reader.unsigned();
  if (version !== VERSION) {
    throw new MalformedSample(`version ${version}; this program reads version ${VERSION}`);
  }
  const windows = reader.unsigned();
  const durationMs = reader.unsigned();
  const counters: number[] = [];
  for (const [place, value] of readCounts(reader, MAX_PLACES)) {
    while (counters.length < place) {
      counters.push(0);
    }
    counters.push(value);
  }
  const gauges: (Gauge | undefined)[] = [];
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    const place = reader.unsigned();
    if (place < gauges.length || place > MAX_PLACES) {
      throw new MalformedSample('its gauges are out of order');
    }
    while (gauges.length < place) {
      gauges.push(undefined);
    }
    gauges.push(readGauge(reader));
  }
  const requests = new Map(readCounts(reader, Number.MAX_SAFE_INTEGER));
  const errors = new Map(readCounts(reader, Number.MAX_SAFE_INTEGER));
  const latencies: LatencySeries[] = [];
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    latencies.push(readLatency(reader));
  }
  if (!reader.isAtEnd) {
    throw new MalformedSample('bytes are left');
  }
  return { windows, durationMs, counters, gauges, requests, errors, latencies };
}

/** More counters or gauges than there will ever be. */
const MAX_PLACES = 10_000;

function writeCounts(writer: VarintWriter, counts: readonly (readonly [number, number])[]): void {
  writer.unsigned(counts.length);
  let before = 0;
  for (const [key, count] of counts) {
    writer.unsigned(key - before);
    writer.unsigned(count);
    before = key;
  }
}

function readCounts(reader: VarintReader, greatestKey: number): [number, number][] {
  const counts: [number, number][] = [];
  let key = 0;
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    const distance = reader.unsigned();
    if (distance === 0 && counts.length > 0) {
      throw new MalformedSample('something is counted twice');
    }
    key += distance;
    if (key > greatestKey) {
      throw new MalformedSample('a number is too large');
    }
    counts.push([key, reader.unsigned()]);
  }
  return counts;
}

function readGauge(reader: VarintReader): Gauge {
  const readings = reader.unsigned();
  const sum = reader.signed();
  if (readings === 1) {
    return { sum, min: sum, max: sum, readings };
  }
  const min = reader.signed();
  return { sum, min, max: min + reader.unsigned(), readings };
}

function writeLatency(writer: VarintWriter, { stage, topicClass, store, sketch }: LatencySeries): void {
  writer.unsigned(stage);
  writer.unsigned(topicClass);
  writer.text(store);
  writer.unsigned(sketch.buckets.length);
  let before = 0;
  for (let index = 0; index < sketch.buckets.length; index += 1) {
    const bucket = sketch.buckets[index] ?? 0;
    writer.unsigned(bucket - before);
    writer.unsigned(sketch.counts[index] ?? 0);
    before = bucket;
  }
}

function readLatency(reader: VarintReader): LatencySeries {
  const stage = reader.unsigned();
  const topicClass = reader.unsigned();
  const store = reader.text();
  const buckets: number[] = [];
  const counts: number[] = [];
  let bucket = 0;
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    bucket += reader.unsigned();
    if (bucket >= BUCKET_COUNT) {
      throw new MalformedSample('a bucket does not exist');
    }
    buckets.push(bucket);
    counts.push(reader.unsigned());
  }
  return { stage, topicClass, store, sketch: { buckets, counts } };
}
