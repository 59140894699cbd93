export { ConfirmDialog } from './confirm-dialog';
export { firstFaults } from './first-faults';
export { KeyForm } from './key-form';
export { numberOf } from './number-of';
export { SecretDialog } from './secret-dialog';
export { showOnce } from './show-once';
