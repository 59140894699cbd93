// The order of test files: without results of an earlier run, vitest would begin with the largest ones.
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A sequencer that begins with the files that take longest, so that none of them runs alone at the end.
 * @param longest paths below vitest's root, in the order of their start
 */
export function longestFirst(longest: readonly string[]): typeof BaseSequencer {
  return class LongestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification): number => {
        const at = longest.indexOf(relative(this.ctx.config.root, moduleId));
        return at === -1 ? longest.length : at;
      };
      return (await super.sort(files)).sort((left, right) => place(left) - place(right));
    }
  };
}
