'use client';

import { Card, EmptyState, Notice, SkeletonRows } from '@penstock/ui';
import { Inbox } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type LiveTopic, useLiveSummary, useLiveTopic } from '../../lib/live';
import { useMay } from '../../lib/session';
import { AgentUnreachable } from './ask-agent';
import { FoundRecords } from './found-records';
import { reloadToRepeat } from './kept-search';
import { NotAllowedByAgents } from './not-allowed-by-agents';
import { type AskedSearch, QuestionForm } from './question-form';
import { SearchFailure } from './search-failure';
import { useBrowse } from './use-browse';

/** The records of one topic, which this browser reads from an agent. */
export function MessagesSection({ clusterId, topicName }: { clusterId: string; topicName: string }) {
  const summary = useLiveSummary();
  const mayRead = useMay()('record:read');
  const topic = useLiveTopic(topicName);
  if (!mayRead) {
    return (
      <Notice title="Your role can’t view records">
        Owners and admins can view records. Each access is recorded in the audit log.
      </Notice>
    );
  }
  if (summary === null || topic === undefined) {
    return (
      <Card title="Messages" flush>
        <SkeletonRows rows={4} label="Loading the topic" />
      </Card>
    );
  }
  if (topic === null) {
    return (
      <Notice tone="warn" title={`Topic “${topicName}” doesn’t exist`}>
        It may have been deleted. Go back to the list of topics.
      </Notice>
    );
  }
  if (summary.agents.withMessageBrowser === 0) {
    return <NotAllowedByAgents hasAgents={summary.agents.alive > 0} />;
  }
  if (topic.records === 0) {
    return (
      <Card title="Messages">
        <EmptyState icon={<Inbox />} title="No records">
          Records appear here when a producer sends them. Records deleted by retention aren’t shown.
        </EmptyState>
      </Card>
    );
  }
  return <Browser key={topic.topicId} clusterId={clusterId} topic={topic} />;
}

interface BrowserProps {
  clusterId: string;
  topic: LiveTopic;
}

function Browser({ clusterId, topic }: BrowserProps) {
  const browse = useBrowse(clusterId, topic.name);
  const [asked, setAsked] = useState<AskedSearch | null>(null);
  // A page may call only the agents that it knew when it loaded. It reloads once for each search, and repeats the search.
  const isReloading =
    asked !== null &&
    !asked.isRepeated &&
    browse.searchError instanceof AgentUnreachable &&
    browse.searchError.isBlockedByPage;
  useEffect(() => {
    if (isReloading) {
      reloadToRepeat(topic.topicId, asked.draft);
    }
  }, [isReloading, topic.topicId, asked]);
  const error = browse.searchError ?? browse.moreError;
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="Messages"
        description="Your browser reads records directly from an agent. They never pass through our servers. Each access is recorded in the audit log."
      >
        <QuestionForm
          topic={topic}
          isPending={browse.isSearching || isReloading}
          onAsk={(questions, search) => {
            setAsked(search);
            browse.search(questions);
          }}
        />
      </Card>
      {error === null || asked === null || isReloading ? null : (
        <SearchFailure error={error} onReload={() => reloadToRepeat(topic.topicId, asked.draft)} />
      )}
      {browse.isSearching || isReloading ? (
        <Card title="Records" flush>
          <SkeletonRows rows={6} label="Reading records" />
        </Card>
      ) : browse.found === null ? (
        asked !== null ? null : (
          <p className="text-ink-3 text-sm">Choose where to start, then read records.</p>
        )
      ) : (
        <FoundRecords
          topicName={topic.name}
          found={browse.found}
          isLoadingMore={browse.isLoadingMore}
          onMore={browse.more}
        />
      )}
    </div>
  );
}
