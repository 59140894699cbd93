// Telemetry of agents, as arithmetic: sketches of latencies, samples, their stored form, levels of time, lines of charts. Pure.
export { type ClientMetricName, clientMetricNames, clientMetricOf, clientMetrics } from './clients/client-metrics.ts';
export {
  CLIENT_BYTES_PER_HOUR,
  type ClientMetricLine,
  type ClientReadings,
  type ClientSample,
  clientLinesOf,
  fromStoredClientSample,
  MAX_CLIENT_INSTANCES,
  MAX_CLIENT_SOFTWARE,
  mergeClientSamples,
  type StoredClientSample,
  toStoredClientSample,
} from './clients/client-sample.ts';
export { decodeSample, encodeSample } from './codec/sample-codec.ts';
export { MalformedSample } from './codec/varints.ts';
export {
  type AgentDiagnosis,
  type BucketCheck,
  type BucketOperationName,
  bucketOperations,
  type ErrorKindName,
  errorKinds,
  type FailureWords,
  type HarmfulRule,
  isTroubled,
  type LastError,
  type LifecycleFinding,
  lastRefusal,
  readDiagnosis,
  refusedChecks,
  STORE_CLOCK_SKEW_MS,
} from './diagnosis/diagnosis.ts';
export {
  counter,
  type Family,
  gauge,
  type MetricSample,
  OPENMETRICS_CONTENT_TYPE,
  renderOpenMetrics,
} from './exposition/openmetrics.ts';
export { poolFamilies, processFamilies } from './exposition/process-families.ts';
export { Counts, Durations } from './exposition/recorders.ts';
export {
  alignedOriginMs,
  isExpired,
  LATEST_REPORT_MS,
  type Level,
  type LevelFacts,
  levelFacts,
  levelFor,
  levels,
  type Partition,
  partitionOf,
  partitionsToHave,
  slotOfWindowMs,
  slotStartMs,
  stepMsFor,
} from './levels/levels.ts';
export { kafkaApiName, kafkaErrorName } from './sample/kafka-names.ts';
export {
  type CounterName,
  counterNames,
  type GaugeName,
  gaugeNames,
  type LatencyStageName,
  latencyStages,
  type TopicClassName,
  topicClasses,
} from './sample/names.ts';
export {
  apiAndCodeOf,
  counterOf,
  emptySample,
  errorKey,
  type Gauge,
  gaugeOf,
  type LatencySeries,
  latencyKey,
  latencyOf,
  mergeSamples,
  type Sample,
} from './sample/sample.ts';
export {
  type GaugeMetric,
  type LatencyMetric,
  type Metric,
  metrics,
  type OtherMetric,
  type Percentile,
  percentiles,
  type RateMetric,
  type Unit,
  unitOf,
  valuesOf,
} from './series/metrics.ts';
export {
  prepareSeries,
  type Series,
  type SeriesLine,
  type SeriesRange,
  type SlotSample,
  type SteppedSamples,
  seriesOf,
  stepSamples,
} from './series/prepare-series.ts';
export {
  BUCKET_COUNT,
  bucketMiddleUs,
  bucketOf,
  bucketStartUs,
  bucketWidthUs,
  GREATEST_US,
  RELATIVE_ERROR,
} from './sketch/buckets.ts';
export { emptySketch, mergeSketches, quantileUs, type Sketch, sketchCount, sketchOf } from './sketch/sketch.ts';
