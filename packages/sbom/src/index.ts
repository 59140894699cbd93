// Software bills of materials (SBOMs) in CycloneDX. Release builds only: no program of the product imports this package.
export { cargoParts, cargoTreeArguments } from './cargo-parts.ts';
export { cyclonedxOf, type Subject } from './cyclonedx.ts';
export { debianParts } from './debian-parts.ts';
export { type Inventory, joinInventories, type Part } from './inventory.ts';
export { type Platform, pnpmParts } from './pnpm-parts.ts';
