// The public keys of the clusters' message browsers. Each is derived once and cached.
import { messageBrowserPublicKey, type RootSecrets } from '@penstock/platform';

export class MessageBrowserKeys {
  readonly #secrets: RootSecrets;
  readonly #keys = new Map<string, [Uint8Array, ...Uint8Array[]]>();

  constructor(secrets: RootSecrets) {
    this.#secrets = secrets;
  }

  /** The cluster's public keys, 32 bytes each: first the one that tokens are signed with, then the others that are accepted. */
  of(clusterId: string): [Uint8Array, ...Uint8Array[]] {
    const known = this.#keys.get(clusterId);
    if (known !== undefined) {
      return known;
    }
    const [first, ...others] = this.#secrets;
    const publicKey = ({ secret }: { secret: string }): Uint8Array => messageBrowserPublicKey(secret, clusterId);
    const keys: [Uint8Array, ...Uint8Array[]] = [publicKey(first), ...others.map(publicKey)];
    this.#keys.set(clusterId, keys);
    return keys;
  }
}
