// Conditions of commands about agents, minutes, settings and the rules level.
import { MAX_OFFSETS_RETENTION_MINUTES, MAX_PARTITIONS_PER_CLUSTER, MAX_REASON_CHARS } from '../model/limits.ts';
import { atLeast, atMost, equal, holds } from './compare.ts';
import type { Conditions } from './conditions.types.ts';

export const registerAgent: Conditions<'register-agent'> = (before, state, command, nowMs) => {
  const known = state.agents.get(command.agentId);
  const nodeId = known?.nodeId ?? before.nextNodeId;
  const wasRegistered = known !== undefined && known.leftAtMs === null;
  return ({ changed, answer, effects }) => {
    if (answer.refused !== null) {
      equal(changed, false, 'a refused agent changes nothing');
      holds(answer.message !== '', 'a refused agent learns why', answer.refused);
      equal(state.agents.get(command.agentId), known, 'a refused agent stays as it was');
      return;
    }
    const agent = state.agents.get(command.agentId);
    holds(agent !== undefined, 'a registered agent is known', command.agentId);
    equal(answer.nodeId, nodeId, 'an agent keeps its node id');
    equal(agent.nodeId, nodeId, 'the node id of an agent is the one it is told');
    equal(agent.leftAtMs, null, 'a registered agent has not left');
    equal(agent.bucket, command.bucket, 'a registered agent uses the bucket that it names');
    equal(agent.keyId, command.keyId, 'a registered agent uses the key that it names');
    holds(state.bucket === null || state.bucket === agent.bucket, 'agents use the bucket of the files', agent.bucket);
    if (changed) {
      equal(effects.catalogue?.agentsChanged, true, 'a registration is published');
      equal(state.nextNodeId, before.nextNodeId + (known === undefined ? 1 : 0), 'a new agent takes one node id');
      atMost(state.agents.size, before.agents + (known === undefined ? 1 : 0), 'a registration adds one agent');
      equal(agent.registeredAtMs, known?.registeredAtMs ?? nowMs, 'a new agent is registered now');
    } else {
      equal(wasRegistered, true, 'only a repeated registration changes nothing');
    }
  };
};

export const agentLeft: Conditions<'agent-left'> = (before, state, command, nowMs) => {
  const agent = state.agents.get(command.agentId);
  const wasHere = agent !== undefined && agent.leftAtMs === null;
  return ({ changed, answer, effects }) => {
    equal(answer.left, wasHere, 'an agent leaves if it was here');
    equal(changed, wasHere, 'only an agent that leaves changes something');
    if (changed && agent !== undefined) {
      equal(agent.leftAtMs, nowMs, 'an agent leaves now');
      atMost(state.agents.size, before.agents, 'an agent that leaves adds none');
      equal(state.nextNodeId, before.nextNodeId, 'an agent that leaves takes no node id');
      equal(effects.catalogue?.agentsChanged, true, 'a departure is published');
    }
  };
};

export const minuteMark: Conditions<'minute-mark'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    equal(answer.counted, changed, 'a counted minute is a change');
    if (changed) {
      atLeast(command.minute, before.lastMarkedMinute + 1, 'a minute is counted once');
      equal(state.lastMarkedMinute, command.minute, 'the counted minute is the last one');
      equal(state.clusterMinutes, before.clusterMinutes + 1, 'one minute is counted at a time');
      atLeast(command.aliveAgentIds.length, 1, 'a minute is counted for an agent');
      equal(effects.minuteMarked?.mode, state.settings.mode, 'a minute is metered in the mode of the cluster');
    } else {
      equal(effects.minuteMarked, undefined, 'a minute that is not counted is not metered');
    }
  };

export const setClockBack: Conditions<'set-clock-back'> =
  (before, state, _command, nowMs) =>
  ({ changed, effects }) => {
    equal(changed, true, 'a clock that is set back is a change');
    equal(state.clusterMinutes, before.clusterMinutes, 'a clock that is set back counts no minute');
    atMost(state.lastMarkedMinute, before.lastMarkedMinute, 'a clock that is set back marks no minute');
    atMost(state.producerIdMarks.at(-1)?.grantedFromMs ?? 0, nowMs, 'no mark of producer ids is in the future');
    atMost(effects.groups?.length ?? 0, state.groups.size, 'each deadline is set back once');
  };

export const updateSettings: Conditions<'update-settings'> =
  (before, state) =>
  ({ changed, answer, effects }) => {
    equal(state.settings !== before.settings, changed, 'new settings are a change');
    equal(effects.settingsChanged === true, changed, 'new settings are published');
    holds(!changed || answer.errorCode === 0, 'refused settings change nothing', answer.errorCode);
    equal(answer.errorMessage !== '', answer.errorCode !== 0, 'refused settings have a reason');
    atLeast(state.settings.defaultPartitions, 1, 'a topic has a partition by default');
    atMost(state.settings.defaultPartitions, MAX_PARTITIONS_PER_CLUSTER, 'a topic fits the cluster by default');
    atMost(state.settings.writesRefusedReason.length, MAX_REASON_CHARS, 'the reason of refused writes is short');
    equal(
      state.settings.clientMetrics,
      before.settings.clientMetrics,
      'settings of the control plane leave the subscriptions to metrics',
    );
    equal(
      state.settings.offsetsRetentionMinutes,
      before.settings.offsetsRetentionMinutes,
      'settings of the control plane leave the retention of offsets',
    );
  };

export const setOffsetsRetention: Conditions<'set-offsets-retention'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    const { offsetsRetentionMinutes, mode } = state.settings;
    equal(
      offsetsRetentionMinutes !== before.settings.offsetsRetentionMinutes,
      changed,
      'another retention is a change',
    );
    equal(effects.settingsChanged === true, changed, 'another retention is published');
    equal(mode, before.settings.mode, 'the retention of offsets leaves the mode');
    if (answer.errorCode === 0) {
      equal(offsetsRetentionMinutes, command.minutes, 'the retention of offsets is the one that was set');
      equal(answer.settings.offsetsRetentionMinutes, command.minutes, 'the answer has the retention of offsets');
      atMost(offsetsRetentionMinutes, MAX_OFFSETS_RETENTION_MINUTES, 'the retention of offsets is within its limit');
      atLeast(offsetsRetentionMinutes, 1, 'offsets are kept for a minute');
    }
  };

export const setMaxUncompressedBatchBytes: Conditions<'set-max-uncompressed-batch-bytes'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    const { maxUncompressedBatchBytes, offsetsRetentionMinutes } = state.settings;
    const isOther = maxUncompressedBatchBytes !== before.settings.maxUncompressedBatchBytes;
    equal(isOther, changed, 'another size of batches is a change');
    equal(effects.settingsChanged === true, changed, 'another size of batches is published');
    equal(offsetsRetentionMinutes, before.settings.offsetsRetentionMinutes, 'the size of batches leaves the retention');
    if (answer.errorCode === 0) {
      equal(maxUncompressedBatchBytes, command.bytes, 'the size of batches is the one that was set');
      equal(answer.settings.maxUncompressedBatchBytes, command.bytes, 'the answer has the size of batches');
    }
  };

export const raiseRulesLevel: Conditions<'raise-rules-level'> =
  (before, state, command) =>
  ({ changed, answer }) => {
    equal(answer.level, state.rules, 'the answer has the rules level');
    equal(changed, command.level > before.rules, 'a higher rules level is a change');
    equal(state.rules, Math.max(before.rules, command.level), 'the rules level is the higher one');
  };

export const alterClientMetrics: Conditions<'alter-client-metrics'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    equal(answer.results.length, command.subscriptions.length, 'each subscription has a result');
    equal(state.settings !== before.settings, changed, 'an altered subscription is a change');
    equal(effects.settingsChanged === true, changed, 'an altered subscription is published');
    holds(!changed || !command.validateOnly, 'a validated subscription changes nothing', command.validateOnly);
    equal(state.settings.mode, before.settings.mode, 'a subscription leaves the mode');
    for (const { errorCode, errorMessage } of answer.results) {
      equal(errorMessage !== '', errorCode !== 0, 'a refused subscription has a reason');
    }
  };
