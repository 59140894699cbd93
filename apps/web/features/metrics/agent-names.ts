/** What agents are called in labels: the Kafka node's number, which clients' logs know as well. Pure. */
export function agentNames(agents: readonly { agentId: string; nodeId: number }[]): Map<string, string> {
  return new Map(agents.map(({ agentId, nodeId }) => [agentId, `Node ${nodeId}`]));
}

/** A zone's name. An agent may be started without one. */
export function zoneText(zone: string): string {
  return zone === '' ? 'no zone' : zone;
}
