export { SuspensionBanner } from './suspension-banner';
