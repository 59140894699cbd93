'use client';

import { Button } from '@penstock/ui';
import { useEffect } from 'react';
import { StatusPage } from '../features/site';

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  useEffect(() => {
    console.error(error);
  }, [error]);
  // A part of the page that was not loaded yet is gone with the version that it belonged to.
  if (error.name === 'ChunkLoadError') {
    return (
      <StatusPage
        code="New version"
        title="Penstock was updated"
        text="This page is from an earlier version. Reload it to go on. Input that you haven’t saved is lost."
        action={
          <Button variant="primary" onClick={() => window.location.reload()}>
            Reload
          </Button>
        }
      />
    );
  }
  return (
    <StatusPage
      code="Error"
      title="We couldn’t load this page"
      text={`Your last change may not have been saved. Try again. If the problem persists, contact support with the reference ${error.digest ?? 'shown in the browser console'}.`}
      action={
        <Button variant="primary" onClick={reset}>
          Try again
        </Button>
      }
    />
  );
}
