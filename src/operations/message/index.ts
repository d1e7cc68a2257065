export { addMessage } from './add-message.ts';
export { findMessage } from './find-message.ts';
export { getMessage } from './get-message.ts';
export { listMessages } from './list-messages.ts';
export { markEntries } from './mark-entries.ts';
export { markMessages } from './mark-messages.ts';
