// Writes an inventory as a CycloneDX 1.6 document in JSON.
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import parseSpdx from 'spdx-expression-parse';
import type { Inventory, Part } from './inventory.ts';

export interface Subject {
  name: string;
  version: string;
  kind: 'application' | 'container';
}

const kinds = { application: Enums.ComponentType.Application, container: Enums.ComponentType.Container };
const algorithms = { 'SHA-256': Enums.HashAlgorithm['SHA-256'], 'SHA-512': Enums.HashAlgorithm['SHA-512'] };
const licenses = new Contrib.License.Factories.LicenseFactory(parseSpdx);
/** The scheme of our own product's URL: it is in no registry. */
const SUPPLIER = 'Penstock';

function componentOf({ purl, name, group, version, license, hash }: Part): Models.Component {
  return new Models.Component(Enums.ComponentType.Library, name, {
    bomRef: purl,
    purl,
    version,
    ...(group === null ? {} : { group }),
    licenses: new Models.LicenseRepository(license === null ? [] : [licenses.makeFromString(license)]),
    hashes: new Models.HashDictionary(hash === null ? [] : [[algorithms[hash.algorithm], hash.content]]),
  });
}

/**
 * @param now the time of the build
 * @returns the document as text, with everything in it sorted
 * @throws Error if a part depends on one that the inventory lacks
 */
export function cyclonedxOf(subject: Subject, { parts, usedByUs }: Inventory, now: Date): string {
  const components = new Map(parts.map((part) => [part.purl, componentOf(part)]));
  const refOf = (purl: string): Models.BomRef => {
    const component = components.get(purl);
    if (component === undefined) {
      throw new Error(`The inventory lacks ${purl}`);
    }
    return component.bomRef;
  };
  for (const { purl, dependsOn } of parts) {
    for (const used of dependsOn) {
      components.get(purl)?.dependencies.add(refOf(used));
    }
  }
  const supplier = new Models.OrganizationalEntity({ name: SUPPLIER });
  const product = new Models.Component(kinds[subject.kind], subject.name, {
    bomRef: `${subject.name}@${subject.version}`,
    version: subject.version,
    supplier,
    dependencies: new Models.BomRefRepository(usedByUs.map(refOf)),
  });
  const tool = new Models.Component(Enums.ComponentType.Library, 'cyclonedx-library', { group: '@cyclonedx' });
  const bom = new Models.Bom({
    serialNumber: Contrib.Bom.Utils.randomSerialNumber(),
    metadata: new Models.Metadata({
      timestamp: now,
      component: product,
      supplier,
      lifecycles: new Models.LifecycleRepository([Enums.LifecyclePhase.Build]),
      tools: new Models.Tools({ components: new Models.ComponentRepository([tool]) }),
    }),
    components: new Models.ComponentRepository(components.values()),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}
