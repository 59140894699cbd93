// OpenTelemetry's standard environment variables, as far as this service supports them. An unsupported value is refused with what to write
// instead.
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
import { z } from 'zod';

export const samplerNames = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

export interface TraceSettings {
  /** The endpoint for spans, path included. */
  url: string;
  headers: Record<string, string>;
  /** The timeout of one export, retries included. */
  timeoutMs: number;
  sampler: (typeof samplerNames)[number];
  /** The share of traces to sample, 0 to 1, for samplers that use one. */
  share: number;
  serviceName: string | undefined;
  resourceAttributes: Record<string, string>;
  queueSpans: number;
  batchSpans: number;
  delayMs: number;
}

const DEFAULT_ENDPOINT = 'http://localhost:4318';

const collectorUrl = z
  .url({ protocol: /^https?$/, error: 'expected the collector’s URL for OTLP over HTTP, e.g. http://localhost:4318' })
  .refine((url) => !/^https?:\/\/[^/]*@/.test(url), 'credentials belong in OTEL_EXPORTER_OTLP_HEADERS');

/** Parses `name=value,name=value` with percent-encoded values. */
const pairs = z.string().transform((text, context) => {
  const record: Record<string, string> = {};
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.+?)\s*$/.exec(pair) ?? [];
    const decoded = value === undefined ? undefined : percentDecoded(value);
    if (name === undefined || decoded === undefined) {
      context.addIssue('expected name=value, name=value, with % before what is special in values (%20 for a blank)');
      return z.NEVER;
    }
    record[name] = decoded;
  }
  return record;
});

function percentDecoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function wholeNumber(most: number) {
  return z
    .string()
    .regex(/^\d{1,7}$/, 'expected a whole number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= most, `expected 1 to ${most}`);
}

const onlyProtobuf = z.literal('http/protobuf', {
  error: 'only http/protobuf is spoken: leave it out, and give the collector’s port for OTLP over HTTP (4318)',
});
const uncompressed = z.literal('none', { error: 'traces go out uncompressed: leave it out, or write none' });

/** Read only when tracing is enabled: other programs on the machine may use these variables. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(60_000).optional(),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: wholeNumber(60_000).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: onlyProtobuf.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: onlyProtobuf.optional(),
  OTEL_EXPORTER_OTLP_COMPRESSION: uncompressed.optional(),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: uncompressed.optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames, { error: `expected one of ${samplerNames.join(', ')}` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^\d*\.?\d+$/, 'expected the share of calls to trace, 0 to 1, e.g. 0.01')
    .transform(Number)
    .refine((share) => share <= 1, 'expected the share of calls to trace, 0 to 1, e.g. 0.01')
    .default(1),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(1_000_000).default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: wholeNumber(65_536).default(512),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(60_000).default(5_000),
};

export function traceSettings(env: z.infer<z.ZodObject<typeof traceVariables>>): TraceSettings {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? DEFAULT_ENDPOINT;
  return {
    url: env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${base.replace(/\/+$/, '')}/v1/traces`,
    headers: env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMs: env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT ?? 10_000,
    sampler: env.OTEL_TRACES_SAMPLER,
    share: env.OTEL_TRACES_SAMPLER_ARG,
    serviceName: env.OTEL_SERVICE_NAME,
    resourceAttributes: env.OTEL_RESOURCE_ATTRIBUTES ?? {},
    queueSpans: env.OTEL_BSP_MAX_QUEUE_SIZE,
    batchSpans: env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    delayMs: env.OTEL_BSP_SCHEDULE_DELAY,
  };
}
