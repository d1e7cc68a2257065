export { markEntriesOperation } from './mark-entries.ts';
export { addMessage, findMessage, getMessage, listMessages, markMessages } from './messages.ts';
