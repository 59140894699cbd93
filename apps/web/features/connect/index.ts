export { type AgentSettings, kubernetesManifest, SPARE_KAFKA_PORT } from './agent-command';
export { AgentCommandPanel } from './agent-command-panel';
export { clientSnippets } from './client-snippets';
export { ClientSnippetsPanel } from './client-snippets-panel';
