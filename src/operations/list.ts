import {
  countTags,
  createSession,
  deleteSession,
  findSession,
  forkSession,
  getSession,
  listSessions,
  openSession,
  showLineage,
  updateSession,
} from './session/index.ts';

/** Every operation, family by family. */
export const OPERATIONS = [
  createSession,
  openSession,
  listSessions,
  getSession,
  updateSession,
  deleteSession,
  forkSession,
  showLineage,
  countTags,
  findSession,
] as const;

/** The operations by their names. */
export type Operations = { readonly [Each in (typeof OPERATIONS)[number] as Each['name']]: Each };
