// `npm run cells:clean [-- --older-than-hours 24]`: deletes the rows that moved clusters left in their old cells.
import { cleanCell } from '@penstock/metadata-journal';
import { AppError } from '@penstock/platform';
import { HOUR_MS } from '@penstock/units';
import { runCellsCommand } from './cells.ts';
import { readFlags } from './operator-command.ts';

const USAGE = 'npm run cells:clean [-- --older-than-hours <hours, 24 unless said>]';

await runCellsCommand(USAGE, async ({ cells, directory }) => {
  const { 'older-than-hours': text = '24' } = readFlags({ 'older-than-hours': { type: 'string' } });
  const hours = Number(text);
  if (!Number.isFinite(hours) || hours < 0) {
    const message = `${text} is not a number of hours.`;
    throw new AppError({ kind: 'invalid-input', code: 'hours_invalid', message, remedy: USAGE });
  }
  const answers = await cells.ask((pool, cell) => cleanCell(pool, cell, directory, hours * HOUR_MS));
  return answers.map((answer) =>
    'error' in answer
      ? `${answer.cell}: could not be cleaned: ${answer.error instanceof Error ? answer.error.message : answer.error}`
      : `${answer.cell}: ${answer.answer.clusters} clusters that moved away, ${answer.answer.entries} entries removed`,
  );
});
