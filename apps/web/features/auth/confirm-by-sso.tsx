'use client';

import { Button, DialogActions, Notice } from '@penstock/ui';
import { useEffect, useState } from 'react';
import { authClient } from './auth-client';
import { SSO_CONFIRMED_CHANNEL } from './sso-window-end';
import { useSubmit } from './use-submit';

interface ConfirmBySsoProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

/** For people who signed in through their provider, and may have no password: the provider asks them again. */
export function ConfirmBySso({ onConfirmed, onCancel }: ConfirmBySsoProps) {
  const [isBlocked, setIsBlocked] = useState(false);
  const { pending, message, submit } = useSubmit();
  useEffect(() => {
    const channel = new BroadcastChannel(SSO_CONFIRMED_CHANNEL);
    channel.addEventListener('message', onConfirmed);
    return () => channel.close();
  }, [onConfirmed]);
  const run = () => {
    // Opened within the click, else browsers block it.
    const opened = window.open('', '_blank', 'popup,width=640,height=760');
    setIsBlocked(opened === null);
    if (opened === null) {
      return;
    }
    void submit(
      async () => {
        const answer = await authClient.$fetch<{ url: string }>('/sso/confirm', { method: 'POST', body: {} });
        if (answer.error !== null) {
          opened.close();
        }
        return answer;
      },
      ({ url }) => opened.location.replace(url),
    );
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2 text-sm leading-6">
        You signed in through single sign-on. Sign in at your provider again, in a new window. The change then
        continues. If your provider doesn’t support this, sign out, sign in again, and repeat the change within 15
        minutes.
      </p>
      {isBlocked ? <Notice tone="warn" title="Your browser blocked the window. Allow pop-ups for this page." /> : null}
      {message === null ? null : <Notice tone="danger" title={message} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" pending={pending} onClick={run}>
          {pending ? 'Opening…' : 'Sign in again'}
        </Button>
      </DialogActions>
    </div>
  );
}
