export { type AgentSettings, kubernetesManifest, SPARE_KAFKA_PORT } from './agent-command';
export { AgentCommandPanel } from './agent-command-panel';
export { type ClientConnection, clientSnippets, type SaslMechanism, saslMechanisms } from './client-snippets';
export { ClientSnippetsPanel } from './client-snippets-panel';
