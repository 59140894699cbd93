import { expect, test } from 'vitest';
import { readTraceSettings } from '../settings.ts';

const read = (variables: Record<string, string>) => readTraceSettings({ PENSTOCK_TRACES: 'true', ...variables });

test('tracing is off unless it is enabled explicitly', () => {
  expect(readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_SAMPLER: 'x' })).toBe(
    undefined,
  );
});

test('traces everything to a collector on this machine by default', () => {
  expect(read({})).toMatchObject({
    url: 'http://localhost:4318/v1/traces',
    sampler: 'parentbased_always_on',
    queueSpans: 2_048,
    headers: {},
  });
});

test('standard variables set endpoint, sampling and service name', () => {
  const settings = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/base/',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=s3cret,x-scope=a%20b',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
    OTEL_SERVICE_NAME: 'metadata',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod',
  });
  expect(settings).toMatchObject({
    url: 'https://otel.example/base/v1/traces',
    headers: { 'api-key': 's3cret', 'x-scope': 'a b' },
    sampler: 'parentbased_traceidratio',
    share: 0.01,
    serviceName: 'metadata',
    resourceAttributes: { 'deployment.environment.name': 'prod' },
  });
});

test('an endpoint for traces only is used as it is', () => {
  expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:9000/traces' })?.url).toBe(
    'http://collector:9000/traces',
  );
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector', /4318/],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://me:s3cret@collector', /OTEL_EXPORTER_OTLP_HEADERS/],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /http\/protobuf/],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip', /none/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 's3cret', /name=value/],
  ['OTEL_TRACES_SAMPLER', 'sometimes', /parentbased_traceidratio/],
  ['OTEL_TRACES_SAMPLER_ARG', '1%', /0\.01/],
  ['OTEL_TRACES_SAMPLER_ARG', '2', /0\.01/],
  ['OTEL_BSP_MAX_QUEUE_SIZE', '0', /1 to/],
])('%s=%s is refused with a remedy, without repeating its value', (variable, value, remedy) => {
  expect(() => read({ [variable]: value })).toThrow(remedy);
  expect(() => read({ [variable]: value })).toThrow(variable);
  expect(() => read({ [variable]: value })).not.toThrow(/s3cret/);
});
