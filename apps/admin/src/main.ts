// The operator's commands: `npm run admin -- --help` lists them. Only the group that is asked for is loaded. Exits with 1 after a problem, and
// prints it with its remedy.
import { Command } from 'commander';
import { ADMIN, operatorCommand, printProblem } from './operator-command.ts';

interface Group {
  description: string;
  /** Loads the commands, and with them what they work with: a second and a half for all groups. */
  commands: () => Promise<Command[]>;
}

const groups = new Map<string, Group>([
  [
    'audit',
    { description: 'The audit log', commands: async () => [(await import('./audit-verify.ts')).verifyAuditLog] },
  ],
  [
    'billing',
    {
      description: 'Bills, payments and corrections',
      commands: async () => [
        (await import('./billing-recompute.ts')).recomputeBills,
        (await import('./billing-credit-note.ts')).issueCreditNote,
        (await import('./billing-record-transfer.ts')).bookTransfer,
        (await import('./billing-outbox.ts')).showOutbox,
        (await import('./billing-holds.ts')).reviewHeldUsage,
      ],
    },
  ],
  [
    'cells',
    {
      description: 'Databases that journals are spread over',
      commands: async () => [
        (await import('./cells-init.ts')).initializeCell,
        (await import('./cells-move.ts')).moveToCell,
        (await import('./cells-clean.ts')).cleanCells,
      ],
    },
  ],
  [
    'database',
    {
      description: 'The control plane’s database',
      commands: async () => [
        (await import('./database-migrate.ts')).migrateDatabase,
        (await import('./database-force-row-security.ts')).changeRowSecurity,
      ],
    },
  ],
  [
    'metadata',
    {
      description: 'Virtual clusters and the processes that own them',
      commands: async () => [
        (await import('./metadata-drain.ts')).drain,
        (await import('./metadata-stopped.ts')).stoppedClusters,
        (await import('./metadata-resume.ts')).resumeCluster,
      ],
    },
  ],
  [
    'organization',
    {
      description: 'Organizations',
      commands: async () => [
        (await import('./organization-suspend.ts')).suspend,
        (await import('./organization-resume.ts')).resumeOrganization,
      ],
    },
  ],
  [
    'secrets',
    {
      description: 'Stored secrets',
      commands: async () => [(await import('./secrets-reseal.ts')).resealEverything],
    },
  ],
]);

let path = '';

const program = new Command(ADMIN)
  .description('Commands for the operator. They work on DATABASE_URL, or on the database of the running `npm start`.')
  .showHelpAfterError()
  .hook('preAction', (_, command) => {
    path = `${command.parent?.name()} ${command.name()}`;
  });

const words = process.argv.slice(2);
for (const [name, { description, commands }] of groups) {
  const group = operatorCommand(name, description);
  if (words.includes(name)) {
    for (const command of await commands()) {
      group.addCommand(command);
    }
  }
  program.addCommand(group);
}

try {
  await program.parseAsync();
} catch (error) {
  printProblem(error, `\`${ADMIN} ${path} --help\` shows the command.`);
  process.exitCode = 1;
}
