/** The document that restoring a checkpoint writes. */
export const CHECKPOINT_DOCUMENT = 'checkpoint';

/** The summary that is looked at before it takes the place of its entries. */
export const SUMMARY_DRAFT = 'summary-draft';

/** The documents that requests of a work session begin with: the role of its agent, and its project, feature and task. */
export const WORK_DOCUMENTS = { description: 'agent-description', context: 'context' } as const;
