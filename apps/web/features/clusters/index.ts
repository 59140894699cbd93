export { ClustersPage } from './clusters-page';
