'use client';

import { Button } from '@penstock/ui';
import { useEffect } from 'react';

/** Tells the settings page, in another window, that a connection test has ended. */
export const SSO_TESTED_CHANNEL = 'penstock-sso-tested';

/** The end of a connection test. A message reaches the settings page although the provider's page came in between. */
export function SsoTested() {
  useEffect(() => {
    const channel = new BroadcastChannel(SSO_TESTED_CHANNEL);
    channel.postMessage('tested');
    channel.close();
  }, []);
  return (
    <Button variant="primary" onClick={() => window.close()}>
      Close window
    </Button>
  );
}
