/** The document that restoring a checkpoint writes. */
export const CHECKPOINT_DOCUMENT = 'checkpoint';

/** The documents that requests of a work session begin with: the role of its agent, and its project, feature and task. */
export const WORK_DOCUMENTS = { description: 'agent-description', context: 'context' } as const;
