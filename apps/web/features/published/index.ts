export { PublishedPage } from './published-page';
