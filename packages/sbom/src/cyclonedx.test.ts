import { describe, expect, test } from 'vitest';
import { cyclonedxOf } from './cyclonedx.ts';
import { debianParts } from './debian-parts.ts';
import { type Inventory, joinInventories, type Part } from './inventory.ts';
import { schemaFaults } from './testing/schema-faults.ts';

const now = new Date('2026-11-23T12:00:00Z');
const subject = { name: 'penstock', version: '1.2.3', kind: 'application' } as const;

function part(name: string, changes: Partial<Part> = {}): Part {
  const purl = `pkg:cargo/${name}@1.0.0`;
  return { purl, name, group: null, version: '1.0.0', license: 'MIT', hash: null, dependsOn: [], ...changes };
}

const inventory: Inventory = {
  parts: [
    part('outer', { dependsOn: ['pkg:cargo/inner@1.0.0'], license: 'MIT OR Apache-2.0' }),
    part('inner', { hash: { algorithm: 'SHA-256', content: 'ab'.repeat(32) } }),
  ],
  usedByUs: ['pkg:cargo/outer@1.0.0'],
};

describe('a document', () => {
  const text = cyclonedxOf(subject, inventory, now);
  const document = JSON.parse(text);

  test('follows the schema of CycloneDX 1.6', () => {
    expect(schemaFaults(text)).toEqual([]);
  });

  test('says what it describes and who made it, when and how', () => {
    expect(document.metadata).toMatchObject({
      timestamp: '2026-11-23T12:00:00.000Z',
      component: { type: 'application', name: 'penstock', version: '1.2.3', supplier: { name: 'Penstock' } },
      supplier: { name: 'Penstock' },
      tools: { components: [{ name: 'cyclonedx-library' }] },
    });
    expect(document.serialNumber).toMatch(/^urn:uuid:/);
  });

  test('has the license and the checksum of each component', () => {
    expect(document.components).toMatchObject([
      {
        purl: 'pkg:cargo/inner@1.0.0',
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-256', content: 'ab'.repeat(32) }],
      },
      { purl: 'pkg:cargo/outer@1.0.0', licenses: [{ expression: 'MIT OR Apache-2.0' }] },
    ]);
  });

  test('says what each component depends on', () => {
    expect(document.dependencies).toEqual([
      { ref: 'penstock@1.2.3', dependsOn: ['pkg:cargo/outer@1.0.0'] },
      { ref: 'pkg:cargo/inner@1.0.0' },
      { ref: 'pkg:cargo/outer@1.0.0', dependsOn: ['pkg:cargo/inner@1.0.0'] },
    ]);
  });
});

// So that the checks above mean something.
test('the validator refuses a document that breaks the schema', () => {
  const broken = cyclonedxOf(subject, inventory, now).replace('"SHA-256"', '"SHA-257"');
  expect(schemaFaults(broken)).not.toEqual([]);
});

test('a component that nothing describes is an error', () => {
  const lacking = { parts: [part('outer', { dependsOn: ['pkg:cargo/gone@1.0.0'] })], usedByUs: [] };
  expect(() => cyclonedxOf(subject, lacking, now)).toThrow('lacks pkg:cargo/gone@1.0.0');
});

test('the SBOM of an image includes its system packages', () => {
  const debian = debianParts('libc6\t2.36-9+deb12u13\tamd64\nca-certificates\t20230311+deb12u1\tall\n', '12');
  const text = cyclonedxOf({ ...subject, kind: 'container' }, joinInventories(inventory, debian), now);
  expect(schemaFaults(text)).toEqual([]);
  expect(JSON.parse(text).components.map(({ purl }: { purl: string }) => purl)).toEqual(
    expect.arrayContaining([
      'pkg:cargo/outer@1.0.0',
      'pkg:deb/debian/libc6@2.36-9+deb12u13?arch=amd64&distro=debian-12',
    ]),
  );
});
