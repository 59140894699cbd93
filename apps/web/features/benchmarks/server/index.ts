export { readOwnResults } from './read-own-results';
