'use client';

import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type RouterOutputs, useTRPC } from '../../lib/trpc';
import { AgentRefusal, AgentUnreachable, type Answer, askAgent } from './ask-agent';
import { continued, type Question } from './question';

type BrowseToken = RouterOutputs['topic']['createBrowseToken'];

/** A token is not used in its last seconds: the agent's clock may be ahead. */
const SPARED_MS = 10_000;
/** Refusals that a new token may cure. */
const CURED_BY_NEW_TOKEN: ReadonlySet<string> = new Set(['token_expired', 'token_signature', 'key_unknown']);

export type Found = {
  question: Question;
  /** The newest answer; its records are among `records`. */
  answer: Answer;
  records: Answer['records'];
  scannedRecords: number;
  /** The agent that answered. */
  url: string;
};

/**
 * Asks an agent for records, with a token that it gets first and uses again while it holds. Tokens live for half a minute: the next one
 * is asked for when it is needed, and comes as long as the person may look.
 */
export function useBrowse(clusterId: string, topic: string) {
  const trpc = useTRPC();
  // In memory alone: it must not outlive the page.
  const token = useRef<BrowseToken | null>(null);
  const issue = useMutation(trpc.topic.createBrowseToken.mutationOptions());
  const [found, setFound] = useState<Found | null>(null);

  const currentToken = async (): Promise<BrowseToken> => {
    if (token.current === null || token.current.expiresAtMs - SPARED_MS < Date.now()) {
      token.current = await issue.mutateAsync({ clusterId, name: topic });
    }
    return token.current;
  };

  /** The first agent that answers: one that cannot be reached does not stand in the others' way. */
  const askAny = async (question: Question): Promise<{ answer: Answer; url: string }> => {
    const { token: text, agents } = await currentToken();
    let unreachable: AgentUnreachable | undefined;
    for (const { url } of agents) {
      try {
        return { answer: await askAgent(url, text, question), url };
      } catch (error) {
        if (!(error instanceof AgentUnreachable)) throw error;
        unreachable ??= error;
      }
    }
    throw unreachable ?? new Error('A token names at least one agent.');
  };

  const ask = async (question: Question) => {
    try {
      return await askAny(question);
    } catch (error) {
      if (!(error instanceof AgentRefusal) || !CURED_BY_NEW_TOKEN.has(error.code)) throw error;
      token.current = null;
      return askAny(question);
    }
  };

  const search = useMutation({
    mutationFn: ask,
    onMutate: () => setFound(null),
    onSuccess: ({ answer, url }, question) =>
      setFound({ question, answer, url, records: answer.records, scannedRecords: answer.scannedRecords }),
  });
  const more = useMutation({
    mutationFn: ({ question, answer }: Found) => ask(continued(question, answer.nextOffset ?? 0)),
    onSuccess: ({ answer, url }, before) =>
      setFound({
        question: before.question,
        answer,
        url,
        records: [...before.records, ...answer.records],
        scannedRecords: before.scannedRecords + answer.scannedRecords,
      }),
  });

  return {
    found,
    search: (question: Question) => {
      more.reset();
      search.mutate(question);
    },
    more: () => {
      if (found !== null && !more.isPending) more.mutate(found);
    },
    isSearching: search.isPending,
    isLoadingMore: more.isPending,
    error: search.error ?? more.error,
  };
}
