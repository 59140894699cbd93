// Lines and marks over two logarithmic axes. They are drawn without a script, on the server too, hence a door of their own.
export { Axes } from './axes.tsx';
export { moneyTick, numberTick, type Tick } from './log-scale.ts';
export { LEAD, labelBox, placeLabels } from './place-labels.ts';
export { LabelLead, PlaneLine } from './plane-parts.tsx';
export { type Plane, polylineOf, preparePlane } from './prepare-plane.ts';
