// The exact command that starts an agent, for each supported environment. Pure text.

export interface AgentSettings {
  clusterId: string;
  metadataUrl: string;
  /** s3://…, gs://…, az://… or file:///… */
  bucket: string;
  /** Availability zone; empty if there is none. */
  zone: string;
  /** The secret while it is known, then null: it is shown only once. */
  agentKey: string | null;
  /** The agent's roles, in the format of `--roles`; null for all roles. */
  roles: string | null;
  /** The port for Kafka clients on a machine where another agent has the default ports; otherwise null. */
  sparePort: number | null;
}

/** The roles that fit the scope of an agent key; null: all. */
export function rolesOfScope(scope: string): string | null {
  switch (scope) {
    case 'jobs':
      return 'jobs';
    case 'read_only':
      return 'consume';
    default:
      return null;
  }
}

/** Included in a command only where they differ from the agent's defaults. */
function listenOptions(settings: AgentSettings): readonly { flag: string; variable: string; value: string }[] {
  if (settings.sparePort === null) {
    return [];
  }
  return [
    { flag: '--listen', variable: 'PENSTOCK_LISTEN', value: `127.0.0.1:${settings.sparePort}` },
    // Metrics and health: any free port.
    { flag: '--http-listen', variable: 'PENSTOCK_HTTP_LISTEN', value: '127.0.0.1:0' },
    // Address for the zone's other agents, which learn it from the metadata service.
    ...(settings.zone === ''
      ? []
      : [{ flag: '--internal-listen', variable: 'PENSTOCK_INTERNAL_LISTEN', value: '127.0.0.1:0' }]),
  ];
}

/** Placeholder for a key. Not a valid key, so that a forgotten one is rejected with that reason. */
export const KEY_PLACEHOLDER = 'psk_agent_YOUR_KEY';

/** Ports of an agent that runs next to the demo's agent on one machine. */
export const SPARE_KAFKA_PORT = 9_192;

const IMAGE = 'penstock-agent:0.1.0';
const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Quotes a value for a POSIX shell if needed. */
export function shellQuote(value: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function keyOf(settings: AgentSettings): string {
  return settings.agentKey ?? KEY_PLACEHOLDER;
}

/** Whether the metadata service runs on this machine: a container then has to share the host's network. */
export function isLocalUrl(url: string): boolean {
  return URL.canParse(url) && LOCAL_HOSTS.has(new URL(url).hostname);
}

/** The folder of a `file://` bucket, or null for other buckets. */
export function folderOf(bucket: string): string | null {
  return bucket.startsWith('file:///') ? bucket.slice('file://'.length).replace(/\?.*$/, '') : null;
}

/** For a machine that has the `penstock` binary. The key is passed in the environment to keep it out of `ps`. */
export function terminalCommand(settings: AgentSettings): string {
  return [
    `PENSTOCK_AGENT_KEY=${shellQuote(keyOf(settings))} penstock agent`,
    `  --cluster ${settings.clusterId}`,
    `  --metadata-url ${shellQuote(settings.metadataUrl)}`,
    `  --bucket ${shellQuote(settings.bucket)}`,
    ...(settings.zone === '' ? [] : [`  --zone ${shellQuote(settings.zone)}`]),
    ...(settings.roles === null ? [] : [`  --roles ${settings.roles}`]),
    ...listenOptions(settings).map(({ flag, value }) => `  ${flag} ${value}`),
  ].join(' \\\n');
}

/** Builds the agent's image from a clone: for a dashboard that runs from one. */
export const DOCKER_BUILD_COMMAND = `docker build --file infra/docker/agent.Dockerfile --tag ${IMAGE} .`;

/** Runs the agent's image on the host's network, so that clients can reach the advertised address. */
export function dockerCommand(settings: AgentSettings): string {
  const folder = folderOf(settings.bucket);
  return [
    'docker run --rm --network host',
    // The image's own user could not write to the mounted folder.
    ...(folder === null ? [] : [`  --user "$(id -u):$(id -g)" --volume ${shellQuote(`${folder}:${folder}`)}`]),
    `  --env PENSTOCK_AGENT_KEY=${shellQuote(keyOf(settings))}`,
    `  --env PENSTOCK_CLUSTER=${settings.clusterId}`,
    `  --env PENSTOCK_METADATA_URL=${shellQuote(settings.metadataUrl)}`,
    `  --env PENSTOCK_BUCKET=${shellQuote(settings.bucket)}`,
    ...(settings.zone === '' ? [] : [`  --env PENSTOCK_ZONE=${shellQuote(settings.zone)}`]),
    ...(settings.roles === null ? [] : [`  --env PENSTOCK_ROLES=${settings.roles}`]),
    ...listenOptions(settings).map(({ variable, value }) => `  --env ${variable}=${value}`),
    `  ${IMAGE}`,
  ].join(' \\\n');
}

/** A Secret for the key, a Deployment, and a Service for clients to bootstrap from. JSON strings are valid YAML. */
export function kubernetesManifest(settings: AgentSettings): string {
  const text = (value: string) => JSON.stringify(value);
  return `apiVersion: v1
kind: Secret
metadata:
  name: penstock-agent-key
type: Opaque
stringData:
  agent-key: ${text(keyOf(settings))}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: penstock-agent
spec:
  replicas: 3
  selector:
    matchLabels: { app: penstock-agent }
  template:
    metadata:
      labels: { app: penstock-agent }
    spec:
      terminationGracePeriodSeconds: 45
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: topology.kubernetes.io/zone
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: { app: penstock-agent }
      containers:
        - name: agent
          image: YOUR_REGISTRY/${IMAGE}
          env:
            - name: PENSTOCK_AGENT_KEY
              valueFrom:
                secretKeyRef: { name: penstock-agent-key, key: agent-key }
            - name: PENSTOCK_CLUSTER
              value: ${text(settings.clusterId)}
            - name: PENSTOCK_METADATA_URL
              value: ${text(settings.metadataUrl)}
            - name: PENSTOCK_BUCKET
              value: ${text(settings.bucket)}
${settings.roles === null ? '' : `            - name: PENSTOCK_ROLES\n              value: ${text(settings.roles)}\n`}${settings.zone === '' ? '' : `            - name: PENSTOCK_ZONE\n              value: ${text(settings.zone)}\n`}            - name: PENSTOCK_ADVERTISED_HOST
              valueFrom:
                fieldRef: { fieldPath: status.podIP }
          ports:
            - { name: kafka, containerPort: 9092 }
            - { name: http, containerPort: 9464 }
            - { name: internal, containerPort: 9466 }
          readinessProbe:
            httpGet: { path: /readyz, port: http }
---
apiVersion: v1
kind: Service
metadata:
  name: penstock
spec:
  selector: { app: penstock-agent }
  ports:
    - { name: kafka, port: 9092 }
`;
}
