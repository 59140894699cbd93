import { colourAt } from './palette.ts';
import { prepareTimeSeries, type TimeSeriesData } from './prepare-time-series.ts';

/** Reduces a chart to one of its lines, with its own axis. The line keeps its colour; a grey one gets one. Pure. */
export function isolateLine(data: TimeSeriesData, key: string): TimeSeriesData {
  const lines = data.lines.filter((line) => line.key === key);
  const alone = prepareTimeSeries({ ...data, lines }, data.window, data.zone, true);
  const colour = lines[0]?.hasColour === true ? lines[0].colour : colourAt(0);
  return { ...alone, steps: data.steps, lines: alone.lines.map((line) => ({ ...line, colour, hasColour: true })) };
}
