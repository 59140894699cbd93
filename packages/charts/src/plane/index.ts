// Lines and marks over two logarithmic axes. They need no script and render on the server, so they have their own door.
export { Axes } from './axes.tsx';
export { moneyTick, numberTick, type Tick } from './log-scale.ts';
export { LEAD, labelBox, placeLabels } from './place-labels.ts';
export { LabelLead, PlaneLine } from './plane-parts.tsx';
export { type Plane, polylineOf, preparePlane } from './prepare-plane.ts';
