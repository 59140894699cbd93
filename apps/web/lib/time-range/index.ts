export { RangePicker } from './range-picker';
export { parseTimeRange, refreshMsOf, type TimeRange, type Window, windowOf, zoomedTo } from './time-range';
export { useAddress } from './use-address';
export { useTimeRange } from './use-time-range';
