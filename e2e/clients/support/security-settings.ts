// The access settings of a virtual cluster, set as the control plane sets them.
import { connect } from 'node:http2';
import { signAdminToken } from '@penstock/platform';
import type { TestSystem } from './system.ts';

export interface SecuritySettings {
  aclMode: 'ACL_MODE_DISABLED' | 'ACL_MODE_SHADOW' | 'ACL_MODE_ENFORCED';
  /** The super users, such as `User:admin`. */
  superUsers?: string[];
  authentication?: 'AUTHENTICATION_REQUIREMENT_ALWAYS' | 'AUTHENTICATION_REQUIREMENT_NEVER';
}

/** Replaces the settings of the demo cluster. Agents learn of them soon after. */
export async function updateSecuritySettings(system: TestSystem, settings: SecuritySettings): Promise<void> {
  const clusterId = system.demo?.clusterId ?? '';
  const call = { method: 'AdminUpdateSecuritySettings', clusterId };
  const token = signAdminToken(system.adminKeys, call, Date.now());
  const session = connect(system.metadata[0]?.adminUrl ?? '');
  try {
    await new Promise<void>((resolve, reject) => {
      session.once('error', reject);
      const request = session.request({
        ':method': 'POST',
        ':path': '/penstock.metadata.v1.AdminService/AdminUpdateSecuritySettings',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      });
      let status = 0;
      let answer = '';
      request.once('response', (headers) => {
        status = Number(headers[':status']);
      });
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => {
        answer += chunk;
      });
      request.once('error', reject);
      request.once('end', () => (status === 200 ? resolve() : reject(new Error(`${status}: ${answer}`))));
      request.end(JSON.stringify({ clusterId, settings }));
    });
  } finally {
    session.close();
  }
}
