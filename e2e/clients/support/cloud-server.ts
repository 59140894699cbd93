// What tests need of a stand-in for a cloud's object storage.

export interface CloudServer {
  /** The bucket and the settings of an agent that uses it. */
  agent: { bucket: string; env: Record<string, string> };
  /** Names of all objects. */
  objects(): Promise<string[]>;
  stop(): Promise<void>;
}
