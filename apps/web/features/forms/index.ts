export { firstFaults } from './first-faults';
export { numberOf } from './number-of';
