export { BlobRef, isBlobRef, isRef, textOrPreview } from './blob-ref.ts';
export { CLOSING_SUMMARY, type ClosingSummary, closingSummaryIn } from './closing-summary.ts';
export {
  Author,
  Compaction,
  CompactionReason,
  DroppedLine,
  droppedIn,
  NativeBlock,
  nativeBlockIn,
  SeqRange,
  SummaryCall,
  summaryCallIn,
} from './compaction.ts';
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
  isQuestion,
  type KnownBody,
  LIFTS,
  type Lift,
  liftBody,
  plainBody,
  READABLE_BODIES,
  readBody,
  standingInstructions,
  steeredTurn,
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
  shortId,
  toEntryId,
} from './entry-id.ts';
export { Fact, FactSource, JudgedFact, LONGEST_FACT, StatedFact } from './fact.ts';
export { firstLine } from './first-line.ts';
export { isHidden, isMarked, isPinned, type Markable, type MarkReach } from './is-marked.ts';
export { equalJson, Json, type JsonObject } from './json.ts';
export { Loop } from './loop.ts';
export { Mark, Target } from './mark.ts';
export { CheckpointList, ListedLine, Merge, MergeRule, SettledConflict } from './merge.ts';
export { Message, Part, Role } from './message.ts';
export { CHECKPOINT_DOCUMENT, SUMMARY_DRAFT, WORK_DOCUMENTS } from './own-documents.ts';
export { isPart, PART_SHAPES, type PartOf, PartShape } from './part-shapes.ts';
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
  isUuid,
  isUuidStart,
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
export {
  EMPTY_STATE,
  foldEntry,
  forkState,
  hostSettings,
  isSummarised,
  packState,
  Root,
  SessionState,
  shownSettings,
  titleOf,
  unpackState,
} from './session-state.ts';
export { Setting } from './setting.ts';
export { settingEntries, settingEntry } from './setting-entry.ts';
export {
  FolderLink,
  LearntWindow,
  Origin,
  Refused,
  SdkConversation,
  SealedApproval,
  WorkPlace,
} from './setting-values.ts';
export {
  type GivenSettings,
  type ImportedSettings,
  isCopyable,
  isImportable,
  isOwnSetting,
  type OwnSettings,
  PROJECT_SETTINGS,
  projectSettings,
  registeredName,
  SETTING_FAMILIES,
  SETTINGS,
  type Settings,
  settingsOf,
} from './settings.ts';
export {
  besidePinned,
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
export { REQUEST_NOTES, type RequestNote, TURN_NOTES } from './turn-notes.ts';
export { addUsage, NO_USAGE, Usage } from './usage.ts';
export { LONGEST_SPEC, Work, WorkFeature, WorkMoved, WorkName, WorkSession, WorkTask } from './work.ts';
