'use client';

import { type ComponentProps, useEffect, useRef } from 'react';
import { cx } from '../cx.ts';
import { INPUT_CLASS } from './input-class.ts';
import { tellEarlyValue } from './tell-early-value.ts';

export function Input({ className, ...rest }: Omit<ComponentProps<'input'>, 'ref'>) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) {
      tellEarlyValue(input.current);
    }
  }, []);
  return <input {...rest} ref={input} className={cx(INPUT_CLASS, className)} />;
}
