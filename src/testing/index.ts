export { crashAfter } from './crash-after.ts';
export { type FixedClock, fixedClock } from './fixed-clock.ts';
export {
  assistant,
  type Call,
  conversation,
  logOf,
  type MessageFields,
  system,
  toolCall,
  toolResult,
  user,
} from './messages.ts';
export { compaction, foreign, mark, merge, restoration, setting, summaryOf } from './notes.ts';
export { type ContractCase, type OpenStore, storeContract } from './store-contract/index.ts';
