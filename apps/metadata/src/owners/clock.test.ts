import { describeClock } from '../contract/clock-contract.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { systemClock } from './clock.ts';

describeClock('this machine', { clock: () => systemClock, pass: (until) => until });

const manual = new ManualClock();
describeClock('manual', {
  clock: () => manual,
  pass: async (until) => {
    let isOver = false;
    void until.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await manual.advance(0.75);
    }
  },
});
