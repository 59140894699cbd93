// Checks the form of documentation examples that no test can run: files for Kubernetes, ECS, systemd and Prometheus, and commands that need
// a cloud, a cluster or root. They are compared with the agent's own options and with the other pages.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import {
  type AgentSettings,
  DOCKER_BUILD_COMMAND,
  kubernetesManifest,
} from '../../../apps/web/features/connect/agent-command.ts';
import type { Fence } from '../../../infra/docs/fences.ts';
import { helpOf, optionGroups } from '../../../infra/docs/reference/help.ts';
import { agentBinary, root } from '../../../infra/local/paths.ts';
import { run } from './run.ts';

const anyAgent: AgentSettings = {
  clusterId: 'YOUR_CLUSTER_ID',
  metadataUrl: 'https://metadata.example.com',
  bucket: 's3://my-bucket/streams?region=eu-central-1',
  zone: '',
  agentKey: null,
  roles: null,
  sparePort: null,
};

type Check = (fence: Fence, all: readonly Fence[]) => void | Promise<void>;

const required = ['PENSTOCK_AGENT_KEY', 'PENSTOCK_CLUSTER', 'PENSTOCK_METADATA_URL', 'PENSTOCK_BUCKET'];

/** The agent's environment variables with their defaults. */
function agentVariables(): Map<string, string | null> {
  const options = optionGroups(helpOf(agentBinary, ['agent'])).flatMap((group) => group.options);
  return new Map(options.flatMap(({ variable, default: value }) => (variable === null ? [] : [[variable, value]])));
}

function expectAgentEnvironment(names: readonly string[]): void {
  const known = agentVariables();
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  expect(required.filter((name) => !names.includes(name))).toEqual([]);
}

function portOf(variable: string): number {
  return Number(agentVariables().get(variable)?.split(':')[1]);
}

/** Ports that others connect to: Kafka clients, monitoring, and the zone's other agents. */
function agentPorts(): number[] {
  return ['PENSTOCK_LISTEN', 'PENSTOCK_HTTP_LISTEN', 'PENSTOCK_INTERNAL_LISTEN'].map(portOf);
}

/** The file with this name on a page. */
function titled(all: readonly Fence[], title: string): Fence {
  const found = all.find(({ meta }) => meta['title'] === title);
  if (found === undefined) {
    throw new Error(`No page shows ${title}`);
  }
  return found;
}

/** Commands by line, with continued lines joined. */
function commandsOf({ code }: Fence): string[][] {
  const lines = code.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return lines.map((line) => line.match(/"[^"]*"|\S+/g) ?? []);
}

async function expectShell({ code }: Fence): Promise<void> {
  await run('bash', ['-n', '-c', code]);
}

const checks: Readonly<Record<string, Check>> = {
  'agent-flags': async (fence) => {
    await expectShell(fence);
    const [words = []] = commandsOf(fence);
    expect(words.slice(0, 2)).toEqual(['penstock', 'agent']);
    const known = optionGroups(helpOf(agentBinary, ['agent'])).flatMap(({ options }) =>
      options.map(({ flag }) => flag),
    );
    const flags = words.filter((word) => word.startsWith('--'));
    expect(flags.filter((flag) => !known.some((option) => option === flag || option.startsWith(`${flag} `)))).toEqual(
      [],
    );
  },

  'client-properties': ({ code }) => {
    expect(code.split('\n').filter((line) => !/^[a-z.]+=\S.*$/.test(line))).toEqual([]);
  },

  'iam-policy': ({ code }) => {
    const policy = JSON.parse(code) as { Version: string; Statement: { Effect: string; Action: string | string[] }[] };
    expect(policy.Version).toBe('2012-10-17');
    expect(policy.Statement.map(({ Effect }) => Effect)).toEqual(policy.Statement.map(() => 'Allow'));
    expect(
      policy.Statement.flatMap(({ Action }) => Action).every((action) => /^s3(express)?:[A-Z][A-Za-z]+$/.test(action)),
    ).toBe(true);
  },

  docker: async (fence) => {
    await expectShell(fence);
    const [image = ''] = /(?<=--tag )\S+/.exec(DOCKER_BUILD_COMMAND) ?? [];
    expect(existsSync(join(root, 'infra/docker/agent.Dockerfile'))).toBe(true);
    expect(fence.code.split('\n')).toEqual([
      `docker tag ${image} YOUR_REGISTRY/${image}`,
      `docker push YOUR_REGISTRY/${image}`,
    ]);
  },

  'docker-sbom': async (fence) => {
    await expectShell(fence);
    const [image = ''] = /(?<=--tag )\S+/.exec(DOCKER_BUILD_COMMAND) ?? [];
    const dockerfile = await readFile(join(root, 'infra/docker/agent.Dockerfile'), 'utf8');
    const [, path = ''] = /^COPY --from=sbom \S+ (\S+)$/m.exec(dockerfile) ?? [];
    expect(path).not.toBe('');
    expect(fence.code.split('\n')).toEqual([
      `docker run --rm --entrypoint cat ${image} ${path} > ${path.split('/').at(-1)}`,
    ]);
  },

  kubectl: async (fence) => {
    await expectShell(fence);
    const documents = parseAllDocuments(kubernetesManifest(anyAgent));
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const [secret, deployment, service] = documents.map((document) => document.toJS());
    expect([secret, deployment, service].map(({ kind }) => kind)).toEqual(['Secret', 'Deployment', 'Service']);
    const { metadata, spec } = deployment.spec.template;
    expect(deployment.spec.selector.matchLabels).toEqual(metadata.labels);
    expect(service.spec.selector).toEqual(metadata.labels);
    const [container] = spec.containers;
    expectAgentEnvironment(container.env.map(({ name }: { name: string }) => name));
    const { valueFrom } = container.env.find(({ name }: { name: string }) => name === 'PENSTOCK_AGENT_KEY');
    expect(valueFrom.secretKeyRef.name).toBe(secret.metadata.name);
    expect(Object.keys(secret.stringData)).toEqual([valueFrom.secretKeyRef.key]);
    expect(container.ports.map(({ containerPort }: { containerPort: number }) => containerPort)).toEqual(agentPorts());
    expect(service.spec.ports[0].port).toBe(portOf('PENSTOCK_LISTEN'));
    expect(commandsOf(fence)).toEqual([
      ['kubectl', 'apply', '--filename', 'penstock-agent.yaml'],
      ['kubectl', 'rollout', 'status', `deployment/${deployment.metadata.name}`],
    ]);
  },

  'ecs-task-definition': ({ code }) => {
    const task = JSON.parse(code);
    // Fields of RegisterTaskDefinition; ECS rejects all others.
    const known = [
      'family',
      'requiresCompatibilities',
      'networkMode',
      'cpu',
      'memory',
      'taskRoleArn',
      'executionRoleArn',
      'containerDefinitions',
    ];
    expect(Object.keys(task).filter((name) => !known.includes(name))).toEqual([]);
    expect(task).toMatchObject({
      requiresCompatibilities: ['FARGATE'],
      networkMode: 'awsvpc',
      cpu: '1024',
      memory: '2048',
    });
    const [container] = task.containerDefinitions;
    const ofContainer = [
      'name',
      'image',
      'essential',
      'stopTimeout',
      'portMappings',
      'secrets',
      'environment',
      'logConfiguration',
    ];
    expect(Object.keys(container).filter((name) => !ofContainer.includes(name))).toEqual([]);
    const names = (list: { name: string }[]): string[] => list.map(({ name }) => name);
    expect(names(container.secrets)).toEqual(['PENSTOCK_AGENT_KEY']);
    expectAgentEnvironment([...names(container.secrets), ...names(container.environment)]);
    expect(container.portMappings).toEqual(agentPorts().map((containerPort) => ({ containerPort })));
  },

  aws: async (fence, all) => {
    await expectShell(fence);
    const [register = [], create = []] = commandsOf(fence);
    expect(register.slice(0, 3)).toEqual(['aws', 'ecs', 'register-task-definition']);
    const file = register.at(-1)?.replace('file://', '') ?? '';
    const { family } = JSON.parse(titled(all, file).code);
    expect(create.slice(0, 3)).toEqual(['aws', 'ecs', 'create-service']);
    expect(create[create.indexOf('--task-definition') + 1]).toBe(family);
    const flags = create.filter((word) => word.startsWith('--'));
    expect(flags).toEqual([
      '--cluster',
      '--service-name',
      '--task-definition',
      '--desired-count',
      '--launch-type',
      '--network-configuration',
    ]);
  },

  'vm-install': async (fence, all) => {
    await expectShell(fence);
    const unit = titled(all, 'penstock-agent.service').code;
    const installed = commandsOf(fence).filter(([program]) => program === 'install');
    const files = new Map(installed.map((words) => [words.at(-1), words.at(-2) ?? '']));
    expect(unit).toContain(`ExecStart=${[...files].find(([, from]) => from === 'penstock')?.[0]} agent`);
    const [environmentFile = ''] = /(?<=EnvironmentFile=).*/.exec(unit) ?? [];
    titled(all, files.get(environmentFile) ?? '');
    expect(files.get('/etc/systemd/system/penstock-agent.service')).toBe('penstock-agent.service');
    const [user = ''] = /(?<=User=).*/.exec(unit) ?? [];
    expect(
      commandsOf(fence)
        .find(([program]) => program === 'useradd')
        ?.at(-1),
    ).toBe(user);
  },

  'environment-file': ({ code }) => {
    const lines = code.split('\n').map((line) => /^([A-Z_]+)=\S+$/.exec(line)?.[1]);
    expect(lines).not.toContain(undefined);
    expectAgentEnvironment(lines.map((name) => name ?? ''));
  },

  'systemd-unit': ({ code }) => {
    const known = {
      Unit: ['Description', 'Wants', 'After'],
      Service: [
        ...['User', 'EnvironmentFile', 'ExecStart', 'Restart', 'RestartSec', 'TimeoutStopSec', 'LimitNOFILE'],
        ...['NoNewPrivileges', 'ProtectSystem', 'ProtectHome', 'PrivateTmp'],
      ],
      Install: ['WantedBy'],
    };
    const sections = code.split(/^\[(\w+)\]$/m).slice(1);
    const found = Object.fromEntries(
      sections.flatMap((text, index) =>
        index % 2 === 0
          ? [[text, [...(sections[index + 1] ?? '').matchAll(/^(\w+)=.+$/gm)].map((match) => match[1])]]
          : [],
      ),
    );
    expect(found).toEqual(known);
  },

  'prometheus-scrape': async ({ code }) => {
    const own = await readFile(join(root, 'infra/prometheus/scrape-example.yml'), 'utf8');
    const expected = own.replace('00000000-0000-0000-0000-000000000000', 'YOUR_CLUSTER_ID');
    expect(parseYaml(code)).toEqual(parseYaml(expected));
  },
};

/** @throws when the block's form is wrong, or when there is no check for it */
export async function checkForm(fence: Fence, all: readonly Fence[]): Promise<void> {
  const check = checks[fence.meta['check'] ?? ''];
  if (check === undefined) {
    throw new Error(`${fence.page}:${fence.line}: there is no check of this name`);
  }
  await check(fence, all);
}
