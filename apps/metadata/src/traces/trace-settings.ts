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
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl
    .optional()
    .meta({ description: "The collector's URL; `/v1/traces` is appended.", defaultText: '`http://localhost:4318`' }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorUrl
    .optional()
    .meta({ description: 'The whole URL for traces, in place of that one.' }),
  OTEL_EXPORTER_OTLP_HEADERS: pairs
    .optional()
    .meta({ description: 'Headers for the collector: `name=value`, separated by commas.', isSecret: true }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs
    .optional()
    .meta({ description: 'Headers for traces, in place of those.', isSecret: true }),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(60_000)
    .optional()
    .meta({ description: 'Milliseconds after which an export is given up.', defaultText: '10000' }),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: wholeNumber(60_000).optional().meta({ description: 'The same for traces alone.' }),
  OTEL_EXPORTER_OTLP_PROTOCOL: onlyProtobuf
    .optional()
    .meta({ description: '`http/protobuf`, which is the only protocol.', defaultText: '`http/protobuf`' }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: onlyProtobuf.optional().meta({ description: 'The same for traces alone.' }),
  OTEL_EXPORTER_OTLP_COMPRESSION: uncompressed
    .optional()
    .meta({ description: '`none`: traces are sent uncompressed.', defaultText: '`none`' }),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: uncompressed.optional().meta({ description: 'The same for traces alone.' }),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames, { error: `expected one of ${samplerNames.join(', ')}` })
    .default('parentbased_always_on')
    .meta({
      description:
        'Which calls are traced: `always_on`, `always_off`, `traceidratio`, or one of these with the prefix `parentbased_`.',
    }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^\d*\.?\d+$/, 'expected the share of calls to trace, 0 to 1, e.g. 0.01')
    .transform(Number)
    .refine((share) => share <= 1, 'expected the share of calls to trace, 0 to 1, e.g. 0.01')
    .default(1)
    .meta({ description: 'The share of calls to trace, 0 to 1, for the samplers by ratio.' }),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .meta({ description: 'The name of the service in traces.', defaultText: '`penstock-metadata`' }),
  OTEL_RESOURCE_ATTRIBUTES: pairs
    .optional()
    .meta({ description: 'More attributes of the process: `name=value`, separated by commas.' }),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(1_000_000)
    .default(2_048)
    .meta({ description: 'Spans that wait for export at most. More are dropped.' }),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: wholeNumber(65_536)
    .default(512)
    .meta({ description: 'Spans in one export at most.' }),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(60_000).default(5_000).meta({ description: 'Milliseconds between exports.' }),
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
