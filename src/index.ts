export * from './faces/library/contexts.ts';
export * from './faces/library/projects.ts';
export * from './faces/library/sessions.ts';
export * from './faces/library/turns.ts';
