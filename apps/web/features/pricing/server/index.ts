export { getCatalogue, getExport, getPublishedFigures, postEstimate } from './handlers';
