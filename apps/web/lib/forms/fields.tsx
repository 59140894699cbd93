'use client';

// A form’s fields. None has a `name` in the page: a browser that submits the form itself, before the page’s script has
// loaded, would put it into the URL, passwords included.
import { cx, Field, Input, type InputProps, Select, Switch } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { type ReactNode, useId } from 'react';
import { type FieldPathByValue, type FieldPathValue, type FieldValues, useController } from 'react-hook-form';
import type { Form } from './use-form';

interface FieldProps<Values extends FieldValues, Name extends FieldPathByValue<Values, unknown>> {
  form: Form<Values>;
  name: Name;
  label: ReactNode;
  hint?: ReactNode;
}

type TextFieldProps<Values extends FieldValues> = FieldProps<Values, FieldPathByValue<Values, string>> &
  Omit<InputProps, 'form' | 'name' | 'value' | 'onChange' | 'onBlur' | 'ref' | 'prefix'> & {
    /** Shown at the end of the label’s line. */
    aside?: ReactNode;
    /** Shown inside the input, before the text, e.g. a currency’s sign. */
    prefix?: string;
  };

/** A line of text. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { form, name, label, hint, aside, prefix, className, ...rest } = props;
  const { field, fieldState } = useController({ control: form.control, name });
  return (
    <Field label={label} hint={hint} aside={aside} error={fieldState.error?.message}>
      {(control) => {
        const input = (
          <Input
            autoComplete="off"
            {...rest}
            {...control}
            ref={field.ref}
            value={String(field.value)}
            onChange={field.onChange}
            onBlur={field.onBlur}
            className={cx(className, prefix !== undefined && 'pl-7')}
          />
        );
        return prefix === undefined ? (
          input
        ) : (
          <span className={cx('relative block', className)}>
            <span aria-hidden className="absolute inset-y-0 left-3 flex items-center text-ink-3 text-sm">
              {prefix}
            </span>
            {input}
          </span>
        );
      }}
    </Field>
  );
}

interface NumberFieldProps<Values extends FieldValues> extends FieldProps<Values, FieldPathByValue<Values, string>> {
  label: string;
  hint?: string;
  /** The unit of the number, e.g. `minutes`. */
  unit?: string;
  /** The smallest and the largest number, which the hint says. */
  bounds?: readonly [min: number, max: number];
}

/** A whole number, kept as it is typed: `numberOf` reads it. */
export function NumberField<Values extends FieldValues>({
  label,
  hint,
  unit,
  bounds,
  ...field
}: NumberFieldProps<Values>) {
  const said = bounds === undefined ? undefined : `${formatCount(bounds[0])} to ${formatCount(bounds[1])}.`;
  const hints = [hint, said].filter((text) => text !== undefined);
  return (
    <TextField
      {...field}
      label={unit === undefined ? label : `${label} (${unit})`}
      hint={hints.length === 0 ? undefined : hints.join(' ')}
      inputMode="numeric"
      className="nums max-w-40"
    />
  );
}

interface SelectFieldProps<Values extends FieldValues, Name extends FieldPathByValue<Values, string>>
  extends FieldProps<Values, Name> {
  /** The hint of the chosen option is shown below the field. */
  options: readonly { value: FieldPathValue<Values, Name>; label: string; hint?: string }[];
  onChosen?: (value: FieldPathValue<Values, Name>) => void;
}

/** One of several options. */
export function SelectField<Values extends FieldValues, Name extends FieldPathByValue<Values, string>>(
  props: SelectFieldProps<Values, Name>,
) {
  const { form, name, label, hint, options, onChosen } = props;
  const { field, fieldState } = useController({ control: form.control, name });
  const chosen = options.find(({ value }) => value === field.value);
  return (
    <Field label={label} hint={hint ?? chosen?.hint} error={fieldState.error?.message}>
      {(control) => (
        <Select
          {...control}
          ref={field.ref}
          value={String(field.value)}
          options={options.map((option) => ({ value: String(option.value), label: option.label }))}
          onValueChange={(text) => {
            const option = options.find(({ value }) => value === text);
            if (option !== undefined) {
              field.onChange(option.value);
              onChosen?.(option.value);
            }
          }}
        />
      )}
    </Field>
  );
}

interface SwitchFieldProps<Values extends FieldValues> extends FieldProps<Values, FieldPathByValue<Values, boolean>> {
  isDisabled?: boolean;
}

/** On or off, with a sentence on what that means. */
export function SwitchField<Values extends FieldValues>(props: SwitchFieldProps<Values>) {
  const { form, name, label, hint, isDisabled = false } = props;
  const id = useId();
  const { field } = useController({ control: form.control, name });
  return (
    <div className="flex items-start justify-between gap-6">
      <div>
        <p id={`${id}-label`} className="font-medium text-ink text-sm">
          {label}
        </p>
        <p id={`${id}-hint`} className="mt-0.5 text-[0.8125rem] text-ink-3 leading-5">
          {hint}
        </p>
      </div>
      <Switch
        disabled={isDisabled}
        checked={field.value === true}
        onCheckedChange={field.onChange}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
      />
    </div>
  );
}
