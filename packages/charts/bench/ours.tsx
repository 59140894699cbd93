// Charts as the metrics page draws them.
import { useEffect, useMemo, useState } from 'react';
import { CrosshairProvider, prepareTimeSeries, TimeSeriesChart, timeZoneOf } from '../src/index.ts';
import { LINES, START_MS, STEP_MS, STEPS, valueAt } from './series.ts';

const ZONE = timeZoneOf('UTC', START_MS);

/** This many charts with a shared crosshair. `window.redraw` advances all of them by a step. */
export function Page({ charts }: { charts: number }) {
  const [shift, setShift] = useState(0);
  useEffect(() => {
    Object.assign(window, { redraw: () => setShift((before) => before + 1) });
  }, []);
  return (
    <CrosshairProvider>
      {Array.from({ length: charts }, (_, chart) => (
        <Chart key={String(chart)} chart={chart} shift={shift} />
      ))}
    </CrosshairProvider>
  );
}

function Chart({ chart, shift }: { chart: number; shift: number }) {
  const data = useMemo(() => {
    const startMs = START_MS + shift * STEP_MS;
    const lines = Array.from({ length: LINES }, (_, line) => ({
      key: `line-${line}`,
      label: `Line ${line}`,
      values: Array.from({ length: STEPS }, (__, step) => valueAt(chart, line, shift + step)),
    }));
    const window = { startMs, endMs: startMs + STEPS * STEP_MS };
    return prepareTimeSeries({ unit: 'ms', startMs, stepMs: STEP_MS, lines }, window, ZONE, true);
  }, [chart, shift]);
  return <TimeSeriesChart title={`Chart ${chart}`} data={data} fileName="chart" empty="" />;
}
