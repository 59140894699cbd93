// A separate wall clock for a program, which a test can set while it runs. Its monotonic clock and timers stay correct, as on a machine
// whose clock was set.
import { rename, writeFile } from 'node:fs/promises';
import { findFaketime } from '../../../infra/local/tools.ts';

export class SettableClock {
  /** For the environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly #file: string;

  private constructor(file: string, library: string) {
    this.#file = file;
    this.env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // Otherwise the library rereads the file only every ten seconds.
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** @param file where the library reads the clock's offset; initially 0 */
  static async create(file: string): Promise<SettableClock> {
    const library = findFaketime();
    if (library === undefined) {
      throw new Error('The clock tests need libfaketime: apt-get install libfaketime');
    }
    const clock = new SettableClock(file, library);
    await clock.set(0);
    return clock;
  }

  /** @param aheadS how many seconds the clock is ahead from now on; negative: behind */
  async set(aheadS: number): Promise<void> {
    // In one step: the library reads the file at every clock read.
    await writeFile(`${this.#file}.new`, `${aheadS < 0 ? '' : '+'}${aheadS}\n`);
    await rename(`${this.#file}.new`, this.#file);
  }
}
