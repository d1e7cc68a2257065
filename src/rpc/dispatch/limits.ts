/** Requests in one batch. */
export const MOST_IN_BATCH = 100;
/** How deep a request may be nested: whatever walks it afterwards does so on the stack. */
export const MOST_NESTING = 200;
