'use client';

import { Badge, Button, Notice } from '@penstock/ui';
import { useEffect, useState } from 'react';
import { DateTime } from '../../lib/time';
import type { RouterOutputs } from '../../lib/trpc';
import { authClient, SSO_TESTED_CHANNEL, useSubmit } from '../auth';

type Test = NonNullable<NonNullable<RouterOutputs['sso']['get']['connection']>['test']>;

const STEP_TITLES: Readonly<Record<Test['steps'][number]['name'], string>> = {
  provider: 'Find the provider',
  keys: 'Read its signing keys',
  answer: 'Verify its response',
  address: 'Check the email address',
  role: 'Decide the role',
};

interface Props {
  organizationId: string;
  test: Test | null;
  onTested: () => Promise<void>;
}

/** Runs a sign-in in a window of its own and shows each step. Signs nobody in and changes no membership. */
export function ConnectionTest({ organizationId, test, onTested }: Props) {
  const [isBlocked, setIsBlocked] = useState(false);
  const { pending, message, submit } = useSubmit();
  useEffect(() => {
    const channel = new BroadcastChannel(SSO_TESTED_CHANNEL);
    channel.addEventListener('message', () => void onTested());
    return () => channel.close();
  }, [onTested]);
  const run = () => {
    // Opened within the click, else browsers block it.
    const opened = window.open('', '_blank', 'popup,width=640,height=760');
    setIsBlocked(opened === null);
    if (opened === null) {
      return;
    }
    const start = () =>
      authClient.$fetch<{ url: string | null }>('/sso/test', {
        method: 'POST',
        body: { organizationId },
      });
    void submit(
      async () => {
        const answer = await start();
        if (answer.error !== null) {
          opened.close();
        }
        return answer;
      },
      ({ url }) => {
        if (url === null) {
          opened.close();
          void onTested();
        } else {
          opened.location.replace(url);
        }
      },
    );
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-[0.8125rem] text-ink-3 leading-5">
        Sign in at your provider in a new window. The test signs nobody in and changes nothing.
      </p>
      <div>
        <Button pending={pending} onClick={run}>
          {pending ? 'Testing…' : 'Test connection'}
        </Button>
      </div>
      {isBlocked ? <Notice tone="warn" title="Your browser blocked the window. Allow pop-ups for this page." /> : null}
      {message === null ? null : <Notice tone="danger" title={message} />}
      {test === null ? null : <TestResult test={test} />}
    </div>
  );
}

function TestResult({ test }: { test: Test }) {
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <p className="flex flex-wrap items-center gap-2 text-ink text-sm">
        <span className="font-medium">Last test</span>
        <Badge tone={test.isPassed ? 'ok' : 'danger'}>{test.isPassed ? 'Passed' : 'Failed'}</Badge>
        <span className="text-ink-3">
          <DateTime timeMs={test.testedAt.getTime()} />
        </span>
      </p>
      <ol className="flex flex-col gap-3">
        {test.steps.map(({ name, problem, facts }) => (
          <li key={name} className="text-sm">
            <p className="flex items-center gap-2 text-ink">
              <Badge tone={problem === null ? 'ok' : 'danger'}>{problem === null ? 'OK' : 'Failed'}</Badge>
              {STEP_TITLES[name]}
            </p>
            {problem === null ? null : (
              <p className="mt-1 text-[0.8125rem] text-ink-2 leading-5">
                {problem.message} {problem.remedy}
              </p>
            )}
            {facts.length === 0 ? null : (
              <dl className="mt-1 grid gap-x-4 text-[0.8125rem] leading-5 sm:grid-cols-[12rem_1fr]">
                {facts.map(({ label, value }) => (
                  <div key={label} className="contents">
                    <dt className="text-ink-3">{label}</dt>
                    <dd className="min-w-0 break-words text-ink-2">{value}</dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
