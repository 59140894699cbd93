'use client';

import { type ComponentProps, useEffect, useImperativeHandle, useRef } from 'react';
import { cx } from '../cx.ts';
import { INPUT_CLASS } from './input-class.ts';
import { tellEarlyValue } from './tell-early-value.ts';

export type InputProps = ComponentProps<'input'>;

export function Input({ className, ref, ...rest }: InputProps) {
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(ref, () => input.current, []);
  useEffect(() => {
    if (input.current !== null) {
      tellEarlyValue(input.current);
    }
  }, []);
  return <input {...rest} ref={input} className={cx(INPUT_CLASS, className)} />;
}
