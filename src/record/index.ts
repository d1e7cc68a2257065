export { BlobRef, isBlobRef, isRef, textOrPreview } from './blob-ref.ts';
export { checkArgument, checkOptions, type OptionKinds } from './check-options.ts';
export { CLOSING_SUMMARY, closingSummaryIn } from './closing-summary.ts';
export {
  Author,
  Compaction,
  CompactionReason,
  DroppedLine,
  droppedIn,
  type NativeBlock,
  nativeBlockIn,
  SeqRange,
  SummaryCall,
  summaryCallIn,
} from './compaction.ts';
export {
  CompactionPolicy,
  type CompactionSettings,
  type Keep,
  PRESET_NAMES,
  type PresetName,
} from './compaction-policy.ts';
export { cutRanges } from './cut-ranges.ts';
export type { Document } from './document.ts';
export type { Entry, NewEntry } from './entry.ts';
export {
  checkBody,
  ENTRY_KINDS,
  type EntryBody,
  type EntryKind,
  FORMAT_VERSION,
  isQuestion,
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
export { type Fact, type FactSource, type JudgedFact, LONGEST_FACT, type StatedFact } from './fact.ts';
export { firstLine } from './first-line.ts';
export { isHidden, isMarked, isPinned, type Markable } from './is-marked.ts';
export { equalJson, Json, type JsonObject } from './json.ts';
export { type Acknowledgement, type Mark, type Restoration, Target } from './marks.ts';
export { CheckpointList, ListedLine, type Merge, MergeRule, SettledConflict } from './merge.ts';
export { Message, Part, Role } from './message.ts';
export { CHECKPOINT_DOCUMENT, SUMMARY_DRAFT, WORK_DOCUMENTS } from './own-documents.ts';
export { isPart, PART_SHAPES, type PartOf, PartShape } from './part-shapes.ts';
export {
  CutBy,
  type EndedTurn,
  type PartialAnswer,
  type Run,
  type StartedTool,
  type SteeringInput,
  type TurnFailure,
  type WaitingInput,
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
  type Root,
  SessionState,
  shownSettings,
  titleOf,
  unpackState,
} from './session-state.ts';
export type { Setting } from './setting.ts';
export { settingEntries, settingEntry } from './setting-entry.ts';
export type {
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
  type LedgerItem,
  mapLines,
  SUMMARY_LISTS,
  Summary,
  SummaryFile,
  SummaryLine,
  type SummaryList,
} from './summary.ts';
export { summaryIn } from './summary-in.ts';
export { REQUEST_NOTES, type RequestNote, TURN_NOTES } from './turn-notes.ts';
export { addUsage, NO_USAGE, Usage } from './usage.ts';
export {
  LONGEST_SPEC,
  Loop,
  type Todo,
  WorkFeature,
  type WorkLabel,
  type WorkMoved,
  WorkName,
  type WorkSession,
  WorkTask,
} from './work.ts';
