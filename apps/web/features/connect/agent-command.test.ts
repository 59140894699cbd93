import { describe, expect, it } from 'vitest';
import {
  type AgentSettings,
  dockerCommand,
  isLocalUrl,
  KEY_PLACEHOLDER,
  kubernetesManifest,
  rolesOfScope,
  shellQuote,
  terminalCommand,
} from './agent-command.ts';

const SETTINGS: AgentSettings = {
  clusterId: '0190b3f0-7c1e-7d2a-9a54-3f0f5d1c2b3a',
  metadataUrl: 'http://127.0.0.1:7070',
  bucket: 's3://my-bucket',
  zone: 'us-east-1a',
  agentKey: 'psk_agent_secret',
  roles: null,
  sparePort: null,
};

describe('agent commands', () => {
  it('passes the key through the environment, never as an argument', () => {
    expect(terminalCommand(SETTINGS)).toBe(
      [
        'PENSTOCK_AGENT_KEY=psk_agent_secret penstock agent \\',
        '  --cluster 0190b3f0-7c1e-7d2a-9a54-3f0f5d1c2b3a \\',
        '  --metadata-url http://127.0.0.1:7070 \\',
        '  --bucket s3://my-bucket \\',
        '  --zone us-east-1a',
      ].join('\n'),
    );
  });

  it('gives the agent the roles that its key allows', () => {
    const settings = (scope: string) => ({ ...SETTINGS, roles: rolesOfScope(scope) });
    expect(terminalCommand(settings('jobs'))).toContain('--roles jobs');
    expect(dockerCommand(settings('read_only'))).toContain('--env PENSTOCK_ROLES=consume');
    expect(kubernetesManifest(settings('jobs'))).toContain('- name: PENSTOCK_ROLES\n              value: "jobs"\n');
    expect(terminalCommand(settings('agent'))).not.toContain('--roles');
  });

  it('leaves out an unknown zone', () => {
    for (const make of [terminalCommand, dockerCommand, kubernetesManifest]) {
      expect(make({ ...SETTINGS, zone: '' })).not.toMatch(/zone us-|PENSTOCK_ZONE/);
    }
  });

  it('uses other ports when an agent already has the default ones', () => {
    const settings = { ...SETTINGS, sparePort: 9192 };
    expect(terminalCommand(settings)).toContain('--listen 127.0.0.1:9192 \\\n  --http-listen 127.0.0.1:0');
    expect(dockerCommand(settings)).toContain('--env PENSTOCK_LISTEN=127.0.0.1:9192');
    expect(terminalCommand(SETTINGS)).not.toContain('--listen');
  });

  it('contains all five settings in every form', () => {
    for (const make of [terminalCommand, dockerCommand, kubernetesManifest]) {
      const command = make(SETTINGS);
      for (const value of [
        'psk_agent_secret',
        SETTINGS.clusterId,
        SETTINGS.metadataUrl,
        SETTINGS.bucket,
        SETTINGS.zone,
      ]) {
        expect(command).toContain(value);
      }
    }
  });

  it('has a placeholder for a key that is no longer known', () => {
    for (const make of [terminalCommand, dockerCommand, kubernetesManifest]) {
      expect(make({ ...SETTINGS, agentKey: null })).toContain(KEY_PLACEHOLDER);
    }
  });

  it.each(['file:///tmp/penstock', 'file:///tmp/penstock?fsync=false'])('mounts the folder of %s', (bucket) => {
    expect(dockerCommand({ ...SETTINGS, bucket })).toContain('--volume /tmp/penstock:/tmp/penstock \\\n');
  });

  it('stores the key in a Kubernetes Secret', () => {
    const manifest = kubernetesManifest(SETTINGS);
    expect(manifest.match(/psk_agent_secret/g)).toHaveLength(1);
    expect(manifest.indexOf('psk_agent_secret')).toBeLessThan(manifest.indexOf('kind: Deployment'));
  });
});

describe('shellQuote', () => {
  it.each([
    ['s3://my-bucket/prefix', 's3://my-bucket/prefix'],
    ['file:///tmp/my data', "'file:///tmp/my data'"],
    ["it's", "'it'\\''s'"],
    ['$(reboot)', "'$(reboot)'"],
    ['', "''"],
  ])('quotes %j as one harmless word', (value, quoted) => {
    expect(shellQuote(value)).toBe(quoted);
  });
});

describe('isLocalUrl', () => {
  it('recognizes this machine by its names', () => {
    expect(isLocalUrl('http://127.0.0.1:7070')).toBe(true);
    expect(isLocalUrl('http://localhost:7070')).toBe(true);
    expect(isLocalUrl('https://metadata.example.com')).toBe(false);
    expect(isLocalUrl('not a url')).toBe(false);
  });
});
