// A stand-in for Stripe that behaves as badly as Stripe may: it limits requests, fails before and after acting, loses
// answers, forgets idempotency keys after 24 hours, and delivers webhooks twice, late, in any order, or never. The same
// seed gives the same sequence of faults.
import { DAY_MS } from '@penstock/units';
import Stripe from 'stripe';
import { declaredEndpoints } from './declared-endpoints.ts';
import { decodeForm, type FormValue } from './form-body.ts';
import { type Random, seededRandom } from './random.ts';
import { answer } from './stand-in-routes.ts';
import { ApiError, StandInState } from './stand-in-state.ts';

/** The share of requests, or of webhooks, with each fault. */
export interface Faults {
  /** Requests refused with 429, without effect. */
  limited: number;
  /** 500, nothing done, and the key is not stored. */
  failedBefore: number;
  /** Done, but answered with a 500 that is stored under the key. */
  failedAfter: number;
  /** Done, but the connection breaks before the answer. */
  answerLost: number;
  /** The connection breaks before anything is done. */
  requestLost: number;
  webhookDropped: number;
  webhookDuplicated: number;
  /** The maximum delay of a webhook. */
  webhookDelayMs: number;
}

export const noFaults: Faults = {
  limited: 0,
  failedBefore: 0,
  failedAfter: 0,
  answerLost: 0,
  requestLost: 0,
  webhookDropped: 0,
  webhookDuplicated: 0,
  webhookDelayMs: 0,
};

export interface StandInRequest {
  method: string;
  /** The path, including the query. */
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

export interface StandInResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface Delivery {
  at: Date;
  body: string;
}

interface KeptAnswer {
  at_ms: number;
  fingerprint: string;
  response: StandInResponse;
}

/** How long Stripe guarantees to keep an idempotency key: https://docs.stripe.com/api/idempotent_requests */
const KEY_LIFE_MS = DAY_MS;

/** The connection broke: the client gets no answer at all. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

export interface StandInOptions {
  secretKey: string;
  webhookSecret: string;
  clock: () => Date;
  seed?: number;
  /** Part of all its ids, so that the ids of two stand-ins never collide. */
  name?: string;
  faults?: Faults;
  /** The origin of its pages. */
  origin?: string;
}

export class StripeStandIn {
  readonly state: StandInState;
  /** Requests that the library's declarations do not allow. A test with any of them has failed. */
  readonly violations: string[] = [];
  /** How many requests changed something, without retries under a known key. */
  executed = 0;
  faults: Faults;
  origin: string;
  readonly #options: StandInOptions;
  readonly #random: Random;
  readonly #kept = new Map<string, KeptAnswer>();
  readonly #deliveries: Delivery[] = [];

  constructor(options: StandInOptions) {
    this.#options = options;
    // Now, because it takes seconds, and a client with a timeout may wait for the first answer.
    declaredEndpoints();
    this.#random = seededRandom(options.seed ?? 1);
    this.faults = options.faults ?? noFaults;
    this.origin = options.origin ?? 'http://stripe.invalid';
    this.state = new StandInState(options.name ?? 'standin', options.clock, (type, object) =>
      this.#announce(type, object),
    );
  }

  /** @throws ConnectionLost */
  handle(request: StandInRequest): StandInResponse {
    const [path = '', query = ''] = request.path.split('?');
    if (request.headers['authorization'] !== `Bearer ${this.#options.secretKey}`) {
      return this.#error(
        new ApiError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****' }),
      );
    }
    const values = decodeForm(request.method === 'POST' ? request.body : query);
    const faults = declaredEndpoints().faultsOf(request.method, path, values);
    if (faults.length > 0) {
      const message = `${request.method} ${path}: ${faults.join('; ')}`;
      this.violations.push(message);
      return this.#error(new ApiError(400, { type: 'invalid_request_error', code: 'parameter_unknown', message }));
    }
    return request.method === 'POST' ? this.#change(request, path, values) : this.#read(request.method, path, values);
  }

  /** Removes and returns the due webhooks. */
  takeDue(): Delivery[] {
    const now = this.#options.clock();
    const due = this.#deliveries.filter((delivery) => delivery.at <= now);
    this.#deliveries.splice(0, Number.POSITIVE_INFINITY, ...this.#deliveries.filter((delivery) => delivery.at > now));
    return due;
  }

  /** When the next webhook is due; undefined if none is pending. */
  get nextDelivery(): Date | undefined {
    return this.#deliveries.map((delivery) => delivery.at).sort((left, right) => left.getTime() - right.getTime())[0];
  }

  /** The signature header for a body, signed now. */
  sign(body: string, timestampS = Math.floor(this.#options.clock().getTime() / 1000)): string {
    return Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: this.#options.webhookSecret,
      timestamp: timestampS,
    });
  }

  #read(method: string, path: string, values: Record<string, FormValue>): StandInResponse {
    const { limited, failedBefore, answerLost } = this.faults;
    if (this.#random.chance(answerLost)) {
      throw new ConnectionLost('The answer was lost');
    }
    if (this.#random.chance(limited)) {
      return this.#limit();
    }
    if (this.#random.chance(failedBefore)) {
      return this.#fail();
    }
    return this.#run(method, path, values);
  }

  #change(request: StandInRequest, path: string, values: Record<string, FormValue>): StandInResponse {
    const { limited, failedBefore, failedAfter, answerLost, requestLost } = this.faults;
    const random = this.#random;
    if (random.chance(requestLost)) {
      throw new ConnectionLost('The request was lost');
    }
    if (random.chance(limited)) {
      return this.#limit();
    }
    if (random.chance(failedBefore)) {
      return this.#fail();
    }

    const key = request.headers['idempotency-key'];
    const fingerprint = `${request.method} ${path} ${request.body}`;
    const kept = this.#keptAnswer(key);
    let response: StandInResponse;
    if (kept !== undefined) {
      if (kept.fingerprint !== fingerprint) {
        return this.#error(
          new ApiError(400, {
            type: 'idempotency_error',
            message:
              'Keys for idempotent requests can only be used with the same parameters they were first used with.',
          }),
        );
      }
      response = { ...kept.response, headers: { ...kept.response.headers, 'idempotent-replayed': 'true' } };
    } else {
      response = this.#run(request.method, path, values);
      this.executed += 1;
      if (response.status < 400 && random.chance(failedAfter)) {
        response = this.#fail();
      }
      // A request refused before anything began is not stored.
      if (key !== undefined && response.status !== 400 && response.status !== 404) {
        this.#kept.set(key, { at_ms: this.#options.clock().getTime(), fingerprint, response });
      }
    }
    if (random.chance(answerLost)) {
      throw new ConnectionLost('The answer was lost');
    }
    return response;
  }

  #keptAnswer(key: string | undefined): KeptAnswer | undefined {
    const kept = key === undefined ? undefined : this.#kept.get(key);
    return kept !== undefined && this.#options.clock().getTime() - kept.at_ms < KEY_LIFE_MS ? kept : undefined;
  }

  #run(method: string, path: string, values: Record<string, FormValue>): StandInResponse {
    try {
      return this.#json(200, answer({ state: this.state, origin: this.origin }, method, path, values));
    } catch (error) {
      if (error instanceof ApiError) {
        return this.#error(error);
      }
      throw error;
    }
  }

  #announce(type: string, object: Record<string, unknown>): void {
    const body = JSON.stringify({
      id: this.state.newId('evt'),
      object: 'event',
      type,
      created: this.state.nowS,
      livemode: false,
      data: { object },
    });
    const { webhookDropped, webhookDuplicated, webhookDelayMs } = this.faults;
    if (this.#random.chance(webhookDropped)) {
      return;
    }
    const copies = this.#random.chance(webhookDuplicated) ? 2 + this.#random.below(2) : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const delayMs = webhookDelayMs === 0 ? 0 : this.#random.below(webhookDelayMs);
      this.#deliveries.push({ at: new Date(this.#options.clock().getTime() + delayMs), body });
    }
  }

  #limit(): StandInResponse {
    return this.#error(
      new ApiError(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' }),
    );
  }

  #fail(): StandInResponse {
    return this.#error(new ApiError(500, { type: 'api_error', message: 'Something went wrong on our end.' }));
  }

  #error(error: ApiError): StandInResponse {
    return this.#json(error.status, error.body);
  }

  #json(status: number, body: unknown): StandInResponse {
    return {
      status,
      headers: { 'content-type': 'application/json', 'request-id': 'req_standin' },
      body: JSON.stringify(body),
    };
  }
}
