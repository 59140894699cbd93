// The public keys of the clusters' message browsers. Each is derived once and cached.
import { messageBrowserPublicKey } from '@penstock/platform';

export class MessageBrowserKeys {
  readonly #internalToken: string;
  readonly #keys = new Map<string, Uint8Array>();

  constructor(internalToken: string) {
    this.#internalToken = internalToken;
  }

  /** The cluster's public key: 32 bytes. */
  of(clusterId: string): Uint8Array {
    const known = this.#keys.get(clusterId);
    if (known !== undefined) {
      return known;
    }
    const key = messageBrowserPublicKey(this.#internalToken, clusterId);
    this.#keys.set(clusterId, key);
    return key;
  }
}
