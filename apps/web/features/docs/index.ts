export { QuickStartPage } from './quick-start-page';
