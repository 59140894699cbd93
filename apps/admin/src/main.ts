// The operator's commands: `npm run admin -- --help` lists them. Exits with 1 after a problem, and prints it with its remedy.
import { Command } from 'commander';
import { verifyAuditLog } from './audit-verify.ts';
import { issueCreditNote } from './billing-credit-note.ts';
import { reviewHeldUsage } from './billing-holds.ts';
import { showOutbox } from './billing-outbox.ts';
import { recomputeBills } from './billing-recompute.ts';
import { bookTransfer } from './billing-record-transfer.ts';
import { cleanCells } from './cells-clean.ts';
import { initializeCell } from './cells-init.ts';
import { moveToCell } from './cells-move.ts';
import { changeRowSecurity } from './database-force-row-security.ts';
import { resumeCluster } from './metadata-resume.ts';
import { ADMIN, operatorCommand, printProblem } from './operator-command.ts';
import { resumeOrganization } from './organization-resume.ts';
import { suspend } from './organization-suspend.ts';
import { resealEverything } from './secrets-reseal.ts';

function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = operatorCommand(name, description);
  for (const command of commands) {
    parent.addCommand(command);
  }
  return parent;
}

let path = '';

const program = new Command(ADMIN)
  .description('Commands for the operator. They work on DATABASE_URL, or on the database of the running `npm start`.')
  .showHelpAfterError()
  .hook('preAction', (_, command) => {
    path = `${command.parent?.name()} ${command.name()}`;
  });

for (const commands of [
  group('audit', 'The audit log', [verifyAuditLog]),
  group('billing', 'Bills, payments and corrections', [
    recomputeBills,
    issueCreditNote,
    bookTransfer,
    showOutbox,
    reviewHeldUsage,
  ]),
  group('cells', 'Databases that journals are spread over', [initializeCell, moveToCell, cleanCells]),
  group('database', 'The control plane’s database', [changeRowSecurity]),
  group('metadata', 'Virtual clusters', [resumeCluster]),
  group('organization', 'Organizations', [suspend, resumeOrganization]),
  group('secrets', 'Stored secrets', [resealEverything]),
]) {
  program.addCommand(commands);
}

try {
  await program.parseAsync();
} catch (error) {
  printProblem(error, `\`${ADMIN} ${path} --help\` shows the command.`);
  process.exitCode = 1;
}
