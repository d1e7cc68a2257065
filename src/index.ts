export * from './exports/contexts.ts';
export * from './exports/projects.ts';
export * from './exports/sessions.ts';
export * from './exports/turns.ts';
