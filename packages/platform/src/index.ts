// Foundations of every control plane program: errors, settings, logs, ids, keys. Has no side effects on import.

export { type AdminCall, type AdminTokenVerdict, signAdminToken, verifyAdminToken } from './admin-token.ts';
export {
  type AgentKeyDisplay,
  agentKeyOf,
  generateAgentKey,
  type NewAgentKey,
  type ParsedAgentKey,
  parseAgentKey,
} from './agent-key.ts';
export { generateApiKey, parseApiKey } from './api-key.ts';
export { AppError, type AppErrorFacts, type AppErrorKind, notFound } from './app-error.ts';
export { randomBase62 } from './base62.ts';
export { cellsVariable, cellUrls, MAIN_CELL } from './cells.ts';
export {
  accessRole,
  applicationName,
  type DatabaseAccess,
  DECLARING,
  databaseAccesses,
  declareAccess,
  withAccess,
} from './database-access.ts';
export { type DescribedVariable, describeVariables, type VariableShape } from './described-variables.ts';
export {
  databaseUrlVariable,
  type Environment,
  embeddedVariable,
  FILE_SUFFIX,
  flagVariable,
  httpUrlVariable,
  logLevelVariable,
  outboundPortsVariable,
  parseEnv,
  portVariable,
  trustedProxiesVariable,
  urlsVariable,
} from './env.ts';
export { type EveryOptions, every, type Timers } from './every.ts';
export { isUuid, newId } from './ids.ts';
export { createLogger, type Logger, type LoggerOptions, redactText } from './logger.ts';
export { messageBrowserOrigin, messageBrowserPublicKey, messageBrowserSigningKey } from './message-browser.ts';
export { metricsRefusal, metricsTokenVariable } from './metrics-access.ts';
export { answerMetrics, type MetricsAnswer, startMetricsServer } from './metrics-server.ts';
export {
  type MigrationHistory,
  migrationNames,
  migrationsFolder,
  missingMigrations,
  readHistory,
  SchemaWatch,
} from './migration-history.ts';
export { drainSecondsVariable, exitOnSignals, type OrderlyExit } from './orderly-exit.ts';
export { ProcessMeter, type ProcessUsage } from './process-usage.ts';
export {
  type Loan,
  RateLimiter,
  type RateLimiterOptions,
  type RateVerdict,
  type SharedBudget,
} from './rate-limiter.ts';
export {
  AUTH_SECRET_ID,
  type RootSecret,
  type RootSecrets,
  rootSecrets,
  rootSecretVariables,
  secretsVariable,
} from './root-secrets.ts';
export { bindingProblem, type RoleBinding, readRoleBinding } from './row-security.ts';
export { generateScimToken, parseScimToken } from './scim-token.ts';
export { createSecretBox, type SecretBox, type SecretPlace } from './secret-box.ts';
export { inShardsSql, SHARDS, shardOf, shardSql } from './shards.ts';
export { isStorable } from './storable-text.ts';
export { createProxyWatch } from './undeclared-proxy.ts';
