'use client';

import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type RouterOutputs, useTRPC } from '../../lib/trpc';
import { AgentRefusal, AgentUnreachable, type Answer, askAgent } from './ask-agent';
import { askInTurn, type Round } from './ask-in-turn';
import type { Question } from './question';

type BrowseToken = RouterOutputs['topic']['createBrowseToken'];

/** A token is not used in its last seconds, because the agent's clock may be ahead. */
const SPARED_MS = 10_000;
/** Errors that a new token may resolve. */
const CURED_BY_NEW_TOKEN: ReadonlySet<string> = new Set([
  'token_expired',
  'token_signature',
  'key_unknown',
  // An agent has started at this address since.
  'token_agent',
]);

/** The results of all rounds of a search. */
export interface Found extends Round {
  /** The first queries: one for each partition. */
  questions: readonly Question[];
}

/**
 * Queries an agent for records, and reuses a token while it is valid. Tokens live for half a minute; the next one is requested on demand
 * and is issued as long as the user has the permission.
 */
export function useBrowse(clusterId: string, topic: string) {
  const trpc = useTRPC();
  // Kept in memory only: it must not outlive the page.
  const token = useRef<BrowseToken | null>(null);
  const issue = useMutation(trpc.topic.createBrowseToken.mutationOptions());
  const [found, setFound] = useState<Found | null>(null);

  const currentToken = async (): Promise<BrowseToken> => {
    if (token.current === null || token.current.expiresAtMs - SPARED_MS < Date.now()) {
      token.current = await issue.mutateAsync({ clusterId, name: topic });
    }
    return token.current;
  };

  /** The first agent that responds, so that an unreachable one does not block the others. */
  const askAny = async (question: Question): Promise<{ answer: Answer; url: string }> => {
    const { agents } = await currentToken();
    let unreachable: AgentUnreachable | undefined;
    for (const { url, token: text } of agents) {
      try {
        return { answer: await askAgent(url, text, question), url };
      } catch (error) {
        if (!(error instanceof AgentUnreachable)) {
          throw error;
        }
        unreachable ??= error;
      }
    }
    throw unreachable ?? new Error('A answer has at least one agent.');
  };

  const ask = async (question: Question) => {
    try {
      return await askAny(question);
    } catch (error) {
      if (!(error instanceof AgentRefusal) || !CURED_BY_NEW_TOKEN.has(error.code)) {
        throw error;
      }
      token.current = null;
      return askAny(question);
    }
  };

  const search = useMutation({
    mutationFn: (questions: readonly Question[]) => askInTurn(questions, ask),
    onMutate: () => setFound(null),
    onSuccess: (round, questions) => setFound({ questions, ...round }),
  });
  const more = useMutation({
    mutationFn: ({ rest }: Found) => askInTurn(rest, ask),
    onSuccess: (round, before) =>
      setFound({
        ...round,
        questions: before.questions,
        records: [...before.records, ...round.records],
        scannedRecords: before.scannedRecords + round.scannedRecords,
        unreadable: [...before.unreadable, ...round.unreadable],
      }),
  });

  return {
    found,
    search: (questions: readonly Question[]) => {
      more.reset();
      search.mutate(questions);
    },
    more: () => {
      if (found !== null && !more.isPending) {
        more.mutate(found);
      }
    },
    isSearching: search.isPending,
    isLoadingMore: more.isPending,
    searchError: search.error,
    moreError: more.error,
  };
}
