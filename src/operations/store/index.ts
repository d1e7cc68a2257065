export { checkStore, salvageStoreOperation, scrubStoreOperation } from './stores.ts';
