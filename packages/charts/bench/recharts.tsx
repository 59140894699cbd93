// The same charts drawn with Recharts, with its own synchronized crosshair.
import { useEffect, useMemo, useState } from 'react';
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { LINES, START_MS, STEP_MS, STEPS, valueAt } from './series.ts';

const KEYS = Array.from({ length: LINES }, (_, line) => `line-${line}`);
const COLOURS = ['#1479b0', '#c16229', '#3d2980', '#6f1b0d', '#904961', '#2694eb'];

/** This many charts with a shared crosshair. `window.redraw` advances all of them by a step. */
export function Page({ charts }: { charts: number }) {
  const [shift, setShift] = useState(0);
  useEffect(() => {
    Object.assign(window, { redraw: () => setShift((before) => before + 1) });
  }, []);
  return (
    <div>
      {Array.from({ length: charts }, (_, chart) => (
        <Chart key={String(chart)} chart={chart} shift={shift} />
      ))}
    </div>
  );
}

function Chart({ chart, shift }: { chart: number; shift: number }) {
  const rows = useMemo(
    () =>
      Array.from({ length: STEPS }, (_, step) => ({
        timeMs: START_MS + (shift + step) * STEP_MS,
        ...Object.fromEntries(KEYS.map((key, line) => [key, valueAt(chart, line, shift + step)])),
      })),
    [chart, shift],
  );
  return (
    <div style={{ height: 200 }}>
      <ResponsiveContainer width="100%" height="100%">
        <LineChart data={rows} syncId="page" accessibilityLayer={false}>
          <CartesianGrid vertical={false} />
          <XAxis dataKey="timeMs" type="number" scale="time" domain={['dataMin', 'dataMax']} />
          <YAxis />
          <Tooltip isAnimationActive={false} />
          {KEYS.map((key, line) => (
            <Line
              key={key}
              dataKey={key}
              stroke={COLOURS[line] ?? '#000000'}
              type="linear"
              dot={false}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}
