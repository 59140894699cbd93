'use client';

import { Button } from '@penstock/ui';
import { useEffect } from 'react';

/** Tells the settings page, in another window, that a connection test has ended. */
export const SSO_TESTED_CHANNEL = 'penstock-sso-tested';
/** Tells the page that asked, in another window, that the provider has confirmed who somebody is. */
export const SSO_CONFIRMED_CHANNEL = 'penstock-sso-confirmed';

/**
 * The end of a window for the provider. A message reaches the page that opened it although the provider’s page came in
 * between.
 */
export function SsoWindowEnd({ purpose }: { purpose: 'test' | 'confirmation' }) {
  useEffect(() => {
    const channel = new BroadcastChannel(purpose === 'test' ? SSO_TESTED_CHANNEL : SSO_CONFIRMED_CHANNEL);
    channel.postMessage('done');
    channel.close();
  }, [purpose]);
  return (
    <Button variant="primary" onClick={() => window.close()}>
      Close window
    </Button>
  );
}
