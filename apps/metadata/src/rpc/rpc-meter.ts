// Counts and measures the calls of agents and of the control plane, by method and code.
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { codeToString } from '@connectrpc/connect/protocol-connect';
import { OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import { Durations, type Family } from '@penstock/telemetry';

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const OK = 'ok';

export class RpcMeter {
  readonly #calls = new Durations(['method', 'code'] as const, BOUNDS_SECONDS);
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Measures one call. What it throws is its code. */
  async measure<Result>(method: string, serve: () => Promise<Result>): Promise<Result> {
    const startMs = this.#monotonicMs();
    let code = OK;
    try {
      return await serve();
    } catch (error) {
      code = codeOf(error);
      throw error;
    } finally {
      this.#calls.record((this.#monotonicMs() - startMs) / 1_000, method, code);
    }
  }

  /** For calls that Connect serves. Streams last as long as their agent, so they are not measured. */
  readonly interceptor: Interceptor = (next) => (request) =>
    request.stream ? next(request) : this.measure(request.method.name, () => next(request));

  families(): Family[] {
    return [
      this.#calls.family(
        'penstock_metadata_rpc_seconds',
        'Calls without streams, by method and code of Connect. `redirected`: another process owns the cluster, and the answer names it.',
      ),
    ];
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof ConnectError)) {
    return codeToString(Code.Internal);
  }
  return error.code === Code.Unavailable && error.metadata.has(OWNER_URL_HEADER)
    ? 'redirected'
    : codeToString(error.code);
}
