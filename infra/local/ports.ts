// The ports of a local system, from the environment or the defaults, and a check that they are free.
import { connect } from 'node:net';
import { LocalError } from './terminal.ts';

export interface LocalPorts {
  web: number;
  metadata: number;
  kafka: number;
  /** The agent's /metrics, /healthz and /readyz; undefined for any free port. */
  agentHttp: number | undefined;
  /** Undefined for any free port. */
  postgres: number | undefined;
}

const defaults = {
  web: { variables: ['PENSTOCK_WEB_PORT', 'PORT'], port: 3000 },
  metadata: { variables: ['PENSTOCK_METADATA_PORT'], port: 7070 },
  kafka: { variables: ['PENSTOCK_KAFKA_PORT'], port: 9092 },
  agentHttp: { variables: ['PENSTOCK_AGENT_HTTP_PORT'], port: undefined },
  postgres: { variables: ['PENSTOCK_POSTGRES_PORT'], port: undefined },
} satisfies Record<keyof LocalPorts, { variables: string[]; port: number | undefined }>;

function portFrom<Default extends number | undefined>(
  environment: NodeJS.ProcessEnv,
  { variables, port }: { variables: string[]; port: Default },
): number | Default {
  for (const variable of variables) {
    const text = environment[variable];
    if (text === undefined || text === '') {
      continue;
    }
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1 || value > 65_535) {
      throw new LocalError(
        `${variable}=${text} is not a port.`,
        'Set it to a number from 1 to 65535, or leave it out.',
      );
    }
    return value;
  }
  return port;
}

export function portsFrom(environment: NodeJS.ProcessEnv): LocalPorts {
  return {
    web: portFrom(environment, defaults.web),
    metadata: portFrom(environment, defaults.metadata),
    kafka: portFrom(environment, defaults.kafka),
    agentHttp: portFrom(environment, defaults.agentHttp),
    postgres: portFrom(environment, defaults.postgres),
  };
}

function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const answer = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.setTimeout(1_000, () => answer(false));
  });
}

/** Throws when another program listens on one of the ports, and names the variable that changes it. */
export async function requireFreePorts(ports: Partial<LocalPorts>): Promise<void> {
  for (const name of Object.keys(ports) as (keyof LocalPorts)[]) {
    const port = ports[name];
    if (port === undefined || (!(await isTaken(port, '127.0.0.1')) && !(await isTaken(port, '::1')))) {
      continue;
    }
    const variable = defaults[name].variables[0];
    throw new LocalError(
      `Port ${port} (${name}) is in use by another program.`,
      `Stop that program, or choose another port: ${variable}=${port + 1000} npm start`,
    );
  }
}
