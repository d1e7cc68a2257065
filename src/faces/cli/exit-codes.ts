import type { ErrorCode } from '../../errors.ts';

export const OK = 0;
/** Nothing a caller could have foreseen: a bug, or a system that failed. */
export const UNEXPECTED = 1;

/** Stable: scripts rely on them. Grouped by what they are about, with room in each group. */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  usage: 2,

  'session-not-found': 10,
  'session-ambiguous': 11,
  'session-exists': 12,
  'session-id-invalid': 13,
  'session-has-forks': 14,
  'session-not-trashed': 15,
  'summary-missing': 16,
  'session-gone': 17,
  'session-trashed': 18,

  'entry-invalid': 20,
  'entry-conflict': 21,
  'entry-not-found': 22,
  'entry-unreadable': 23,
  'blob-missing': 24,
  'blob-damaged': 25,
  'turn-not-found': 26,
  'turn-not-running': 27,

  'head-moved': 30,
  'lease-held': 31,
  'lease-lost': 32,
  'not-saved': 33,
  'branches-unrelated': 34,
  'merge-conflict': 35,
  'merge-stale': 36,

  'store-busy': 40,
  'store-full': 41,
  'store-unwritable': 42,
  'store-read-only': 43,
  'store-damaged': 44,
  'store-foreign': 45,
  'store-closed': 46,

  'nothing-to-compact': 50,
  'summary-rejected': 51,
  'compaction-stale': 52,
  cancelled: 54,
  'head-too-large': 55,

  'model-unknown': 60,
  'model-not-configured': 61,
  'model-refused': 62,
  'model-busy': 63,
  'model-failed': 64,
  'model-timeout': 65,
  'context-overflow': 66,
  'answer-cut': 67,

  'project-not-found': 70,
  'project-ambiguous': 71,
  'project-moved': 72,
  'fact-not-found': 73,
  'fact-ambiguous': 74,

  'agent-broken': 80,
  'agent-differs': 81,

  'transcript-unknown': 90,
  'transcript-newer': 91,
  'transcript-busy': 92,
  'transcript-changed': 93,

  'archive-unavailable': 100,
  'archive-busy': 101,
  'archive-not-found': 102,
  'archive-differs': 103,
  'archive-not-pushed': 104,

  'feature-not-found': 120,
  'task-not-found': 121,
  'transition-refused': 122,

  'access-denied': 110,
  'request-too-large': 111,
  'server-busy': 112,
  'request-timeout': 113,
  'protocol-unsupported': 114,
};
