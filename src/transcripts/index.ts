export { kindOf as claudeLineKind } from './claude-code/line-kind.ts';
export { compactedPayload as codexCompaction } from './codex/compaction.ts';
export { isHuman as isHumanItem, lineOf as codexLine } from './codex/line-kind.ts';
export { isHomed as isHomedChat } from './dagent/old-entries.ts';
export { readCheckpoint as readDagentCheckpoint } from './dagent/read-checkpoint.ts';
export { detectFormat } from './detect/detect-format.ts';
export { type ExportOptions, exportSession } from './export/export-session.ts';
export { hashLog } from './export/hash-log.ts';
export { type Chain, type ChainLink, readChain } from './export/read-chain.ts';
export { outgoing, readFamily } from './export/read-family.ts';
export { FORMAT_NAMES, FORMATS, type Format, type FormatName, formatNamed, WRITABLE } from './formats.ts';
export { findOriginal, type Original } from './handoff/find-original.ts';
export {
  HANDOFF_AGENTS,
  type HandoffAgent,
  pathForAgent,
  placeForAgent,
} from './handoff/place-for-agent.ts';
export { type Briefing, type BriefingLine, renderBriefing } from './handoff/render-briefing.ts';
export { type AgentHome, findAgentHomes } from './import/agent-homes.ts';
export { type FoundFile, findFiles } from './import/find-files.ts';
export { findNamedFile } from './import/find-named-file.ts';
export { type FollowOptions, followFiles } from './import/follow-files.ts';
export { type FileOutcome, type ImportOptions, importFile, importSource } from './import/import-files.ts';
export { type KnownFiles, openKnownFiles } from './import/known-files.ts';
export type { ImportReport } from './import/report.ts';
export { writeChain } from './markdown/chain.ts';
export type {
  MarkdownDocument,
  MarkdownQuery,
  MarkdownRestored,
  MarkdownStats,
} from './markdown/document.ts';
export { parseMarkdown } from './markdown/parse.ts';
export { renderMarkdown } from './markdown/render.ts';
export {
  type MarkdownOptions,
  type MarkdownPiece,
  markdownPieces,
  sessionToMarkdown,
} from './markdown/write.ts';
export { type Mirror, writeMirror } from './markdown/write-mirror.ts';
export { fieldsOf, textOf } from './source/fields.ts';
export { openSource, textSource } from './source/open-source.ts';
export { recordsIn } from './source/records-in.ts';
export type { Fields } from './source/recover-line.ts';
export type {
  DamageKind,
  Family,
  Found,
  FoundEntry,
  OutgoingEntry,
  OutgoingSession,
  Reader,
  Source,
  WriteOptions,
  Writer,
  Written,
} from './transcript.ts';
