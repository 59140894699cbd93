export { cloudOf } from './clouds';
export { ClustersPage } from './clusters-page';
