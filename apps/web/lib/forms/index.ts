// The library’s parts for fields of a feature’s own.
export { Controller, useWatch } from 'react-hook-form';
export { ConfirmDialog } from './confirm-dialog';
export { NumberField, SelectField, SwitchField, TextField } from './fields';
export { Form } from './form';
export { numberOf } from './number-of';
export { SecretDialog } from './secret-dialog';
export { showOnce } from './show-once';
export { type Form as FormOf, type FormOptions, useForm } from './use-form';
