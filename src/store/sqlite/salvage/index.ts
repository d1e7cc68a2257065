export { type SalvageReport, salvageStore } from './salvage-store.ts';
