export { ClientsSection } from './clients-section';
