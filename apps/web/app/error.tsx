'use client';

import { Button } from '@penstock/ui';
import { useEffect } from 'react';
import { StatusPage } from '../features/site';

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  useEffect(() => {
    console.error(error);
  }, [error]);
  return (
    <StatusPage
      code="Error"
      title="This page failed to load"
      text={`What you did last may not have been saved. Try again; if it fails again, tell support the reference ${error.digest ?? 'shown in the browser console'}.`}
      action={
        <Button variant="primary" onClick={reset}>
          Try again
        </Button>
      }
    />
  );
}
