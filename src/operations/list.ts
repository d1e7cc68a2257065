import { diffBranches, mergeBranch, previewMerge, undoMerge } from './branch/index.ts';
import { compareVersions, getCheckpoint, listVersions, restoreVersion } from './checkpoint/index.ts';
import {
  applyCompaction,
  collapseCompaction,
  createCompaction,
  deleteCompaction,
  expandCompaction,
  getCompaction,
  listCompactions,
} from './compaction/index.ts';
import {
  deleteDocument,
  deleteTodo,
  getDocument,
  listDocuments,
  listTodos,
  putDocument,
  putTodo,
} from './document/index.ts';
import { addMessage, getMessage, listMessages, markMessages } from './message/index.ts';
import { addProject, linkProject, listProjects, showProject } from './project/index.ts';
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
  showLog,
  showOverview,
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
  listMessages,
  addMessage,
  getMessage,
  markMessages,
  listCompactions,
  getCompaction,
  createCompaction,
  applyCompaction,
  expandCompaction,
  collapseCompaction,
  deleteCompaction,
  listDocuments,
  getDocument,
  putDocument,
  deleteDocument,
  listTodos,
  putTodo,
  deleteTodo,
  getCheckpoint,
  listVersions,
  compareVersions,
  restoreVersion,
  showLog,
  showOverview,
  diffBranches,
  previewMerge,
  mergeBranch,
  undoMerge,
  listProjects,
  showProject,
  linkProject,
  addProject,
] as const;

/** The operations by their names. */
export type Operations = { readonly [Each in (typeof OPERATIONS)[number] as Each['name']]: Each };
