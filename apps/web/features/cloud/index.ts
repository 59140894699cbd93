export { CLOUDS, type CloudValue, cloudOf, isCloud } from './clouds';
