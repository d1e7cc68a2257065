export { listModels } from './list-models.ts';
