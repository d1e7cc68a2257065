export { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts';
export { type SalvageReport, salvageStore } from './salvage/salvage-store.ts';
