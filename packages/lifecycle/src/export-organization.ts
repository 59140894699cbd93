// All data of an organization as one NDJSON document: one object per line, with its type first. It is generated while
// it is sent, in short transactions. The last line says that it is complete.
import { type MetadataAdmin, toLiveClusterView } from '@penstock/clusters';
import { auditBatches, auditFacts, recordAudit, type Scope } from '@penstock/tenancy';
import { type Page, readOrganizationFacts, sections } from './export-sections.ts';

type Run = <T>(work: (scope: Scope) => Promise<T>) => Promise<T>;

/** The first line names it, so that readers can recognize the format. */
const FORMAT = 'penstock-organization/1';

/**
 * Yields the document in chunks. It contains no secrets: keys appear as pages show them.
 * @param run runs work for the tenant, in its own transaction
 */
export async function* exportOrganization(
  run: Run,
  metadata: Pick<MetadataAdmin, 'getClusterView'>,
): AsyncGenerator<string, void, undefined> {
  const begun = await run(async (scope) => {
    const facts = await readOrganizationFacts(scope);
    await recordAudit(scope, {
      action: 'organization.export',
      targetType: 'organization',
      targetId: scope.organizationId,
    });
    return { ...facts, at: scope.now };
  });
  let lines = 0;
  const line = (type: string, data: unknown): string => {
    lines += 1;
    return `${JSON.stringify({ type, data }, (_key, value) => (typeof value === 'bigint' ? String(value) : value))}\n`;
  };
  yield line('export', { format: FORMAT, exportedAt: begun.at });
  yield line('organization', begun.organization);

  for (const [type, read] of sections) {
    for await (const items of pages(run, read)) {
      yield items.map((item) => line(type, item)).join('');
    }
  }
  const missing: string[] = [];
  for (const { id } of begun.liveClusters) {
    try {
      const view = toLiveClusterView(await metadata.getClusterView(id));
      for (const { partitions, ...topic } of view.topics) {
        yield line('topic', { clusterId: id, ...topic, partitions });
      }
      for (const { members: _members, ...group } of view.groups) {
        yield line('group', { clusterId: id, ...group });
      }
    } catch {
      // The rest is still useful, and the last line lists what is missing.
      missing.push(`topics and groups of cluster ${id}: its state could not be read`);
    }
  }
  for await (const rows of auditBatches(run, {})) {
    yield rows.map((row) => line('audit', auditFacts(row))).join('');
  }
  yield line('end', { lines: lines + 1, missing });
}

async function* pages(
  run: Run,
  read: (scope: Scope, after: string | null) => Promise<Page>,
): AsyncGenerator<readonly unknown[], void, undefined> {
  let after: string | null = null;
  do {
    const position: string | null = after;
    const page: Page = await run((scope) => read(scope, position));
    if (page.items.length > 0) {
      yield page.items;
    }
    after = page.next;
  } while (after !== null);
}
