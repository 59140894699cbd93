/** Labels of agents: the Kafka node id, which clients log as well. Pure. */
export function agentNames(agents: readonly { agentId: string; nodeId: number }[]): Map<string, string> {
  return new Map(agents.map(({ agentId, nodeId }) => [agentId, `Node ${nodeId}`]));
}

/** A zone's name. Agents may run without a zone. */
export function zoneText(zone: string): string {
  return zone === '' ? 'no zone' : zone;
}
