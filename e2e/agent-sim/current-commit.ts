// Names the commit that a result belongs to.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Twelve hexadecimal digits; with "-dirty" when files differ from the commit. */
export function currentCommit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  }).trim();
}
