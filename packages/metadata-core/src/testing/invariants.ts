// For tests: the invariants of every state, checked from scratch.
import { idKey, sameId } from '../model/ids.ts';
import { MAX_ACL_CHARS, MAX_ACLS, MAX_CLIENT_QUOTAS, MAX_SCRAM_CREDENTIALS } from '../model/limits.ts';
import { aclKey, credentialKey, quotaKey } from '../model/security.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { ConsumerProtocol, Group } from '../state/group.types.ts';
import type { OrderedTexts } from '../state/ordered-texts.ts';
import { runEndOffset } from '../state/partition.ts';
import { transactionsAfter } from '../state/transactions.ts';
import { accountsFromScratch, accountsOf } from './memory-from-scratch.ts';

function isOrderOf(ordered: OrderedTexts, texts: Iterable<string>): boolean {
  return JSON.stringify([...ordered.following(null)]) === JSON.stringify([...texts].sort());
}

/** The broken invariants of a state; empty when there are none. */
export function brokenInvariants(state: ClusterState): string[] {
  const broken: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) {
      broken.push(what);
    }
  };
  const { waiting, leased } = state.files.queues();
  const runsOfFile = new Map<number, { from: number; to: number }[]>();
  let partitionCount = 0;
  for (const [key, topic] of state.topics) {
    check(
      key === idKey(topic.id) && state.topicsByName.get(topic.name) === topic,
      `topic ${topic.name} is under its keys`,
    );
    partitionCount += topic.partitions.length;
    for (const [number, partition] of topic.partitions.entries()) {
      const name = `${topic.name}-${number}`;
      const { runs } = partition;
      let storedBytes = 0;
      let end = runs === null || runs.length === 0 ? partition.highWatermark : runs.baseOffset(0);
      check(end <= partition.logStartOffset, `${name}: the first run is not beyond the log start`);
      for (let row = 0; row < (runs?.length ?? 0) && runs !== null; row += 1) {
        const base = runs.baseOffset(row);
        check(base === end, `${name}: run ${row} starts where the one before ends`);
        end = runEndOffset(partition, runs, row);
        check(end > base && end > partition.logStartOffset, `${name}: run ${row} holds records that are alive`);
        storedBytes += runs.bytes(row);
        if (runs.isMarker(row)) {
          check(end === base + 1, `${name}: the marker in row ${row} has one offset`);
          continue;
        }
        const slot = runs.file(row);
        const spans = runsOfFile.get(slot) ?? [];
        spans.push({ from: runs.position(row), to: runs.position(row) + runs.bytes(row) });
        runsOfFile.set(slot, spans);
      }
      check(end === partition.highWatermark, `${name}: the last run ends at the high watermark`);
      check(partition.logStartOffset <= partition.highWatermark, `${name}: log start is not beyond the high watermark`);
      check(partition.cleanedOffset <= partition.highWatermark, `${name}: what is cleaned is in the log`);
      check(storedBytes === partition.storedBytes, `${name}: stored bytes are those of its runs`);
      check(partition.producers?.size !== 0, `${name}: a table of producers holds one`);
      let producers = 0;
      for (const { producerId, batches } of partition.producers?.records() ?? []) {
        check(
          partition.producers?.find(producerId) === producers,
          `${name}: producer ${producerId} is found by its id`,
        );
        check(batches.length >= 1 && batches.length <= 5, `${name}: producer ${producerId} has one to five batches`);
        check(
          batches.every(({ baseOffset }, at) => baseOffset > (batches[at - 1]?.baseOffset ?? -1)),
          `${name}: batches of producer ${producerId} have rising offsets`,
        );
        producers += 1;
      }
      check(producers === (partition.producers?.size ?? 0), `${name}: producers are counted`);
    }
  }
  check(partitionCount === state.partitionCount, 'partitions are counted');
  const { transactions } = state;
  const listedTransactions = [...transactionsAfter(transactions, null)];
  check(isOrderOf(state.topicNames.inOrder, state.topicsByName.keys()), 'the names of topics are in order');
  check(isOrderOf(state.groupIds, state.groups.keys()), 'the ids of groups are in order');
  check(isOrderOf(transactions.ids, transactions.byId.keys()), 'transactional ids are in order');
  const byAge = [...transactions.byId.values()]
    .filter(({ open }) => open !== null)
    .map(({ transactionalId, open }) => ({ transactionalId, startedAtMs: open?.startedAtMs ?? 0 }))
    .sort((a, b) => a.startedAtMs - b.startedAtMs || (a.transactionalId < b.transactionalId ? -1 : 1));
  check(
    byAge.every(({ transactionalId }, at) => listedTransactions[at] === transactionalId),
    'open transactions are in the order of their age',
  );
  const dead = new Set([...waiting, ...leased].map(({ slot }) => slot));
  check(dead.size === waiting.length + leased.length, 'a dead file is queued once');
  check(dead.size === state.files.dead, 'dead files are counted');
  let files = 0;
  for (const [slot, file] of state.files.files()) {
    const spans = (runsOfFile.get(slot) ?? []).sort((a, b) => a.from - b.from);
    runsOfFile.delete(slot);
    files += 1;
    check(state.files.knows(file.id) && sameId(state.files.id(slot), file.id), `file ${slot} is found by its id`);
    check(slot < state.files.slotLimit, `slot ${slot} is below the limit`);
    check(spans.length === file.liveRuns, `file ${slot} counts its runs`);
    check(spans.reduce((sum, { from, to }) => sum + to - from, 0) === file.liveBytes, `file ${slot} counts bytes`);
    check(dead.has(slot) === (spans.length === 0), `file ${slot} is queued exactly when it is dead`);
    check(
      spans.every(({ from, to }, at) => from >= (spans[at - 1]?.to ?? 0) && to <= file.bytes),
      `runs of file ${slot} lie in it and do not overlap`,
    );
  }
  check(files === state.files.size, 'files are counted');
  check(runsOfFile.size === 0, 'every run lies in a file');
  check(state.changedGroups.size === 0, 'changed groups are counted');
  check(
    JSON.stringify(accountsOf(state)) === JSON.stringify(accountsFromScratch(state)),
    'the accounts of memory are what a count from scratch gives',
  );
  broken.push(...brokenSecurityInvariants(state), ...brokenTransactionInvariants(state));
  for (const group of state.groups.values()) {
    const invariants =
      group.consumer === null ? brokenGroupInvariants(group) : brokenConsumerInvariants(group, group.consumer);
    for (const what of invariants) {
      broken.push(`group ${group.groupId} (${group.state}): ${what}`);
    }
  }
  return broken;
}

function brokenTransactionInvariants({ transactions, topics }: ClusterState): string[] {
  const broken: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) {
      broken.push(what);
    }
  };
  const { byId, open, counts } = transactions;
  const producers = [...byId.values()];
  check(
    [...byId].every(([id, producer]) => producer.transactionalId === id),
    'a producer is under its transactional id',
  );
  check(new Set(producers.map(({ producerId }) => producerId)).size === byId.size, 'a producer id has one owner');
  check(
    producers.every((producer) => (producer.open !== null) === (producer.state === 'Ongoing')),
    'a producer is Ongoing exactly while it has an open transaction',
  );
  const ongoing = producers.filter((producer) => producer.open !== null);
  check(
    ongoing.length === open.size && ongoing.every(({ transactionalId }) => open.has(transactionalId)),
    'open transactions are listed',
  );
  const counted = { partitions: 0, offsets: 0, aborted: 0 };
  for (const producer of ongoing) {
    for (const numbers of producer.open?.partitions.values() ?? []) {
      counted.partitions += numbers.size;
    }
    for (const pending of producer.open?.groups.values() ?? []) {
      counted.offsets += 1 + [...pending.values()].reduce((sum, offsets) => sum + offsets.size, 0);
    }
  }
  for (const [topicKey, topic] of topics) {
    for (const [number, partition] of topic.partitions.entries()) {
      const name = `${topic.name}-${number}`;
      const here = partition.transactions;
      if (here === null) {
        continue;
      }
      counted.aborted += here.aborted.length;
      check(here.open.size + here.aborted.length > 0, `${name}: its transactions are not empty`);
      check(
        [...here.open].every(([producerId]) =>
          ongoing.some(
            (producer) =>
              producer.producerId === producerId && producer.open?.partitions.get(topicKey)?.has(number) === true,
          ),
        ),
        `${name}: what is open here is part of an open transaction`,
      );
      const firsts = [...here.open.values()];
      check(
        firsts.every((first, at) => first < partition.highWatermark && first >= (firsts[at - 1] ?? 0)),
        `${name}: open transactions are in the order of their first records`,
      );
      check(
        here.aborted.every(
          ({ firstOffset, lastOffset }, at) =>
            firstOffset < lastOffset &&
            lastOffset > (here.aborted[at - 1]?.lastOffset ?? -1) &&
            lastOffset >= partition.logStartOffset,
        ),
        `${name}: aborted transactions are in the order of their markers, and end in the log`,
      );
      for (const { producerId, lastOffset } of here.aborted) {
        const row = partition.runs?.rowOfOffset(lastOffset) ?? -1;
        const marker = row < 0 ? null : (partition.runs?.marker(row) ?? null);
        // Once merged, it is a control batch of some file.
        check(
          row >= 0 && (marker === null || (marker.producerId === producerId && !marker.isCommit)),
          `${name}: ${lastOffset} is the marker of an abort`,
        );
      }
    }
  }
  check(
    counted.partitions === counts.partitions &&
      counted.offsets === counts.offsets &&
      counted.aborted === counts.aborted,
    'partitions, offsets and aborted transactions are counted',
  );
  return broken;
}

function brokenSecurityInvariants({ security }: ClusterState): string[] {
  const { credentials, acls, quotas } = security;
  const broken: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) {
      broken.push(what);
    }
  };
  check(
    [...credentials].every(([key, credential]) => key === credentialKey(credential)) &&
      [...acls].every(([key, acl]) => key === aclKey(acl)) &&
      [...quotas].every(([key, quota]) => key === quotaKey(quota)),
    'credentials, ACLs and quotas are under their keys',
  );
  check(
    [...credentials.values()].every(({ storedKey, mechanism }) => storedKey.length === (mechanism === 1 ? 32 : 64)),
    'the keys of a credential have the length of its mechanism',
  );
  check(
    credentials.size <= MAX_SCRAM_CREDENTIALS && acls.size <= MAX_ACLS && quotas.size <= MAX_CLIENT_QUOTAS,
    'credentials, ACLs and quotas are within their limits',
  );
  const chars = [...acls.values()].reduce(
    (sum, acl) => sum + `${acl.resourceName}${acl.principal}${acl.host}`.length,
    0,
  );
  check(chars === security.aclChars && chars <= MAX_ACL_CHARS, 'the characters of the ACLs are counted');
  check(
    [...quotas.values()].every(({ values }) => values.size > 0 && [...values.values()].every((value) => value > 0)),
    'a quota has a value, and all are positive',
  );
  return broken;
}

function brokenConsumerInvariants(group: Group, consumer: ConsumerProtocol): string[] {
  const broken: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) {
      broken.push(what);
    }
  };
  const members = [...consumer.members.values()];
  check(group.members.size + group.pendingMembers.size + group.staticMembers.size === 0, 'no member is a classic one');
  check(group.state === (members.length === 0 ? 'Empty' : 'Stable'), 'the state says whether there are members');
  check(group.protocolType === 'consumer', 'the protocol type is consumer');
  check(members.some(({ classic }) => classic === null) || members.length === 0, 'somebody uses the new protocol');
  check(consumer.assignmentEpoch <= consumer.epoch, 'no assignment is ahead of the group');
  check(
    members.every(({ epoch }) => epoch <= consumer.assignmentEpoch),
    'no member is ahead of the assignment',
  );
  check(
    [...consumer.target.keys()].every((memberId) => consumer.members.has(memberId)),
    'a target belongs to a member',
  );
  const targets = [...consumer.target.values()].flatMap((topics) =>
    [...topics].flatMap(([topic, numbers]) => numbers.map((partition) => `${topic}-${partition}`)),
  );
  check(new Set(targets).size === targets.length, 'no partition is in two targets');
  const held = members.flatMap(({ memberId, assigned, revoking }) =>
    [...assigned, ...revoking].flatMap(([topic, numbers]) =>
      [...numbers.keys()].map((partition) => `${topic}-${partition} ${memberId}`),
    ),
  );
  const owners = [...consumer.owners].flatMap(([topic, numbers]) =>
    [...numbers].map(([partition, memberId]) => `${topic}-${partition} ${memberId}`),
  );
  check(held.sort().join() === owners.sort().join(), 'owners are the members that hold partitions');
  check(new Set(held.map((entry) => entry.split(' ')[0])).size === held.length, 'no partition is held by two members');
  check(
    members.every(({ state, revoking }) => state === 'unrevoked-partitions' || revoking.size === 0),
    'partitions are given up only in the state for it',
  );
  const count = (names: readonly string[]): string =>
    [...Map.groupBy(names, (name) => name)]
      .map(([name, all]) => `${name}*${all.length}`)
      .sort()
      .join();
  const counted = (counts: ReadonlyMap<string, number>): string =>
    [...counts]
      .map(([name, times]) => `${name}*${times}`)
      .sort()
      .join();
  check(
    count(members.flatMap(({ subscribedTopics }) => subscribedTopics)) === counted(consumer.subscribers),
    'subscribers are counted',
  );
  check(
    count(members.flatMap(({ subscribedRegex }) => subscribedRegex ?? [])) === counted(consumer.regexSubscribers),
    'those of regular expressions are counted',
  );
  check(
    [...consumer.regexes.keys()].every((regex) => consumer.regexSubscribers.has(regex)),
    'a resolved expression is used',
  );
  const instances = members.filter(({ instanceId }) => instanceId !== null);
  check(
    instances.length === consumer.staticMembers.size &&
      instances.every(({ memberId, instanceId }) => consumer.staticMembers.get(instanceId ?? '') === memberId),
    'an instance id has one member',
  );
  return broken;
}

function brokenGroupInvariants(group: Group): string[] {
  const broken: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) {
      broken.push(what);
    }
  };
  const members = [...group.members.values()];
  check((group.leaderId === null) === (members.length === 0), 'there is a leader exactly when there are members');
  check(group.leaderId === null || group.members.has(group.leaderId), 'the leader is a member');
  check(members.length === 0 || group.state !== 'Empty', 'an empty group has no members');
  check(members.length > 0 || group.state === 'Empty' || group.gathering !== null, 'a group without members is empty');
  check(group.gathering === null || group.state === 'PreparingRebalance', 'members gather only in the join phase');
  check(
    members.every(({ awaitingJoin }) => !awaitingJoin || group.state === 'PreparingRebalance'),
    'calls wait for the join phase only during it',
  );
  check(
    members.every(({ awaitingSync }) => !awaitingSync || group.state === 'CompletingRebalance'),
    'calls wait for the assignment only while it is missing',
  );
  check(
    (group.deadlineMs !== null) ===
      (group.state === 'PreparingRebalance' ||
        group.state === 'CompletingRebalance' ||
        (group.state === 'Stable' && members.some(({ hasSynced }) => !hasSynced))),
    'there is a deadline exactly while something is waited for',
  );
  check(
    [...group.staticMembers].every(([instance, memberId]) => group.members.get(memberId)?.groupInstanceId === instance),
    'static members are members',
  );
  check(
    members.every(
      ({ memberId, groupInstanceId }) =>
        groupInstanceId === null || group.staticMembers.get(groupInstanceId) === memberId,
    ),
    'an instance id has one member',
  );
  check(
    members.every(({ memberId }) => !group.pendingMembers.has(memberId)),
    'a member is no longer pending',
  );
  return broken;
}
