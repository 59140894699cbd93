// Turns ACLs on for the benchmark's clients, among many rules about others.
import { once } from 'node:events';
import { connect } from 'node:http2';
import type { RunningSystem } from '../../../../infra/local/system.ts';
import { updateSecuritySettings } from '../../../clients/support/security-settings.ts';
import { createTopic, type Server } from '../agent-load.ts';

/** Topics that the clients may use once ACLs are on. */
export const ALLOWED_PREFIX = 'acl-';
const OTHER_RULES = 1_000;
const RULES_PER_CALL = 250;
/** Kafka's code for topics. */
const TOPIC = 2;
const LITERAL = 3;
const PREFIXED = 4;
const READ = 3;
const WRITE = 4;
const CREATE = 5;
const DESCRIBE = 8;
const ALLOW = 3;
/** Agents learn of a change within this time. */
const LONGEST_CHANGE_MS = 10_000;

function rule(principal: string, resourceName: string, patternType: number, operation: number): object {
  return { resourceType: TOPIC, resourceName, patternType, principal, host: '*', operation, permissionType: ALLOW };
}

async function createAcls(system: RunningSystem, bindings: readonly object[]): Promise<void> {
  const session = connect(system.metadata[0]?.url ?? '');
  try {
    const request = session.request({
      ':method': 'POST',
      ':path': '/penstock.metadata.v1.MetadataService/CreateAcls',
      'content-type': 'application/json',
      authorization: `Bearer ${system.demo?.agentKey}`,
      'penstock-cluster': system.demo?.clusterId,
    });
    request.end(JSON.stringify({ actor: 'User:benchmark', bindings }));
    const [headers] = (await once(request, 'response')) as [Record<string, unknown>];
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) {
      body += String(chunk);
    }
    const { results = [] } = JSON.parse(body) as { results?: { errorCode?: number }[] };
    if (headers[':status'] !== 200 || results.some(({ errorCode = 0 }) => errorCode !== 0)) {
      throw new Error(`The metadata service refused the ACLs: ${body.slice(0, 500)}`);
    }
  } finally {
    session.close();
  }
}

/** Enforces ACLs, and returns when the agent does. Clients without a user may create, read and write topics with {@link ALLOWED_PREFIX} only. */
export async function enforceAcls(system: RunningSystem, home: string, server: Server): Promise<void> {
  const own = [READ, WRITE, CREATE, DESCRIBE].map((operation) =>
    rule('User:ANONYMOUS', ALLOWED_PREFIX, PREFIXED, operation),
  );
  const others = Array.from({ length: OTHER_RULES }, (_, index) =>
    rule(`User:user-${index % 100}`, `topic-${index}`, index % 10 === 0 ? PREFIXED : LITERAL, READ),
  );
  const rules = [...own, ...others];
  for (let from = 0; from < rules.length; from += RULES_PER_CALL) {
    await createAcls(system, rules.slice(from, from + RULES_PER_CALL));
  }
  await updateSecuritySettings(
    { ...system, deaths: [], home },
    { aclMode: 'ACL_MODE_ENFORCED', authentication: 'AUTHENTICATION_REQUIREMENT_NEVER' },
  );
  const beganMs = performance.now();
  for (let attempt = 0; await mayCreate(server, `refused-${attempt}`); attempt += 1) {
    if (performance.now() - beganMs > LONGEST_CHANGE_MS) {
      throw new Error('The agent does not enforce ACLs');
    }
  }
}

async function mayCreate(server: Server, topic: string): Promise<boolean> {
  try {
    await createTopic(server, topic, 1);
    return true;
  } catch (error) {
    if (String(error).includes('AUTHORIZATION_FAILED')) {
      return false;
    }
    throw error;
  }
}
