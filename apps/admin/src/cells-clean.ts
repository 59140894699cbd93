import { cleanCell } from '@penstock/metadata-journal';
import { HOUR_MS } from '@penstock/units';
import { InvalidArgumentError } from 'commander';
import { onCells } from './cells.ts';
import { operatorCommand } from './operator-command.ts';

function hoursOf(text: string): number {
  const hours = Number(text);
  if (text.trim() === '' || !Number.isFinite(hours) || hours < 0) {
    throw new InvalidArgumentError(`${text} is not a number of hours.`);
  }
  return hours;
}

export const cleanCells = operatorCommand('clean', 'deletes the rows that moved clusters left in their old cells')
  .option('--older-than-hours <hours>', 'only of clusters that moved so long ago', hoursOf, 24)
  .action(({ olderThanHours }: { olderThanHours: number }) =>
    onCells(async ({ cells, directory }) => {
      const answers = await cells.ask((pool, cell) => cleanCell(pool, cell, directory, olderThanHours * HOUR_MS));
      return answers.map((answer) =>
        'error' in answer
          ? `${answer.cell}: could not be cleaned: ${answer.error instanceof Error ? answer.error.message : answer.error}`
          : `${answer.cell}: ${answer.answer.clusters} clusters that moved away, ${answer.answer.entries} entries removed`,
      );
    }),
  );
