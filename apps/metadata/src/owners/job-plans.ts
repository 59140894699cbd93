// Signs what a job allows, so that any owner can check a completion: leases live in the memory of the owner that handed the job out, and
// the partition may have another owner when the job completes.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decodeJobPlan, encodeJobPlan, type JobPlan } from '@penstock/metadata-core';
import type { RootSecrets } from '@penstock/platform';

/** Separates these keys from others derived from the same secrets. */
const PURPOSE = 'penstock job plans v1';
const KEY_BYTES = 32;
const MAC_BYTES = 32;

/** The plans of one cluster. */
export class JobPlans {
  readonly #signingKey: Buffer;
  readonly #keys: readonly Buffer[];

  /** @param secrets the root secrets that the processes of the service share; the first one signs */
  constructor(secrets: RootSecrets, clusterId: string) {
    const keyOf = ({ secret }: { secret: string }): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, clusterId, PURPOSE, KEY_BYTES));
    const [first, ...others] = secrets;
    this.#signingKey = keyOf(first);
    this.#keys = [this.#signingKey, ...others.map(keyOf)];
  }

  /** The MAC, then the plan. */
  sign(plan: JobPlan): Uint8Array {
    const body = encodeJobPlan(plan);
    return Buffer.concat([macOf(this.#signingKey, body), body]);
  }

  /** Undefined when this service did not sign it for this cluster. */
  verify(signed: Uint8Array): JobPlan | undefined {
    const [mac, body] = [signed.subarray(0, MAC_BYTES), signed.subarray(MAC_BYTES)];
    const isOurs = mac.length === MAC_BYTES && this.#keys.some((key) => timingSafeEqual(macOf(key, body), mac));
    return isOurs ? decodeJobPlan(body) : undefined;
  }
}

function macOf(key: Buffer, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest();
}
