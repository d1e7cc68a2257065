export { BlobRef, isBlobRef, textOrPreview } from './blob-ref.ts';
export { CLOSING_SUMMARY, type ClosingSummary, closingSummaryIn } from './closing-summary.ts';
export { Author, Compaction, SeqRange } from './compaction.ts';
export {
  CompactionPolicy,
  CompactionSettings,
  Keep,
  PRESET_NAMES,
  type PresetName,
  Trigger,
} from './compaction-policy.ts';
export { cutRanges } from './cut-ranges.ts';
export { Document } from './document.ts';
export type { Entry, NewEntry } from './entry.ts';
export {
  checkBody,
  ENTRY_KINDS,
  type EntryBody,
  type EntryKind,
  FORMAT_VERSION,
  type KnownBody,
  LIFTS,
  type Lift,
  liftBody,
  plainBody,
  READABLE_BODIES,
  readBody,
  UnknownBody,
} from './entry-body.ts';
export {
  deriveEntryId,
  EntryId,
  entryIdBytes,
  entryIdFromBytes,
  entryIdTime,
  isEntryId,
  newEntryId,
  toEntryId,
} from './entry-id.ts';
export { Fact, FactSource, JudgedFact, LONGEST_FACT, StatedFact } from './fact.ts';
export { firstLine } from './first-line.ts';
export { isHidden, isMarked, isPinned, type Markable, type MarkReach } from './is-marked.ts';
export { isQuestion, standingInstructions, steeredTurn } from './is-question.ts';
export { equalJson, Json, type JsonObject } from './json.ts';
export { packState, shownSettings, unpackState } from './keep-setting.ts';
export { Loop } from './loop.ts';
export { Mark, Target } from './mark.ts';
export { CheckpointList, ListedLine, Merge, MergeRule, SettledConflict } from './merge.ts';
export { Message, Part, Role } from './message.ts';
export { PART_SHAPES, PartShape } from './part-shapes.ts';
export { Acknowledgement, Restoration } from './restoration.ts';
export {
  BegunTurn,
  CutBy,
  EndedTurn,
  PartialAnswer,
  Run,
  StartedTool,
  SteeringInput,
  TurnFailure,
  WaitingInput,
} from './run.ts';
export { MAX_SEQ, Seq } from './seq.ts';
export {
  canonicalSessionId,
  deriveSessionId,
  isSessionId,
  newSessionId,
  SessionId,
  startsEveryName,
  withCode,
} from './session-id.ts';
export {
  type Parent,
  PLACES,
  type Place,
  placeOf,
  type SessionInfo,
  STORED_PLACES,
  type StoredPlace,
  storedPlaceOf,
  type Totals,
} from './session-info.ts';
export { EMPTY_STATE, foldEntry, forkState, Root, SessionState, titleOf } from './session-state.ts';
export { Setting } from './setting.ts';
export { settingEntries, settingEntry } from './setting-entry.ts';
export {
  FolderLink,
  Origin,
  Refused,
  SdkConversation,
  SealedApproval,
  WorkPlace,
} from './setting-values.ts';
export {
  type GivenSettings,
  type ImportedSettings,
  isImportable,
  isOwnSetting,
  type OwnSettings,
  PROJECT_SETTINGS,
  projectSettings,
  SETTING_FAMILIES,
  SETTINGS,
  type Settings,
  settingsOf,
} from './settings.ts';
export {
  emptySummary,
  LedgerItem,
  mapLines,
  SUMMARY_LISTS,
  Summary,
  SummaryFile,
  SummaryLine,
  type SummaryList,
} from './summary.ts';
export { summaryIn } from './summary-in.ts';
export { Todo } from './todo.ts';
export { addUsage, NO_USAGE, Usage } from './usage.ts';
export { LONGEST_SPEC, Work, WorkFeature, WorkMoved, WorkName, WorkSession, WorkTask } from './work.ts';
