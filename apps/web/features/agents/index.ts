export { AgentSection } from './agent-section';
export { AgentsSection } from './agents-section';
