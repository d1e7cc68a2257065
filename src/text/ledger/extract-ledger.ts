import type { Entry, EntryId, LedgerItem, Summary, SummaryFile } from '../../record/index.ts';
import { onlyLooks } from '../tool-actions/only-looks.ts';
import { type Piece, piecesOfEntries, type Reading } from '../tool-actions/read-pieces.ts';
import { isShell, readsFiles, type ToolActions, toolActions } from '../tool-actions/tool-actions.ts';
import { findDecisions } from './find-decisions.ts';
import {
  type FileList,
  findErrors,
  findFigures,
  findIdentifiers,
  findUrls,
  type ItemList,
  newestFiles,
  newestItems,
} from './find-items.ts';
import { type TodoBook, todoBook } from './todo-book.ts';

export interface Ledger {
  /** Oldest touch first; `from` holds the first and the newest entry that touched it. */
  files: SummaryFile[];
  /**
   * `command`, `error`, `figure`, `url`, `identifier`, `decision`, `todo` (open), `next` (a step that was
   * announced), `done`; oldest first.
   */
  ledger: LedgerItem[];
}

interface Call {
  readonly entry: EntryId;
  readonly tool: string;
  readonly actions: ToolActions;
}

interface Books {
  readonly files: FileList;
  readonly items: ItemList;
  readonly todos: TodoBook;
  /** Calls whose result has not come yet. */
  readonly open: Map<string, Call>;
}

/**
 * Facts found by rule that a model must not retell: files and what happened to them, commands with their exit codes, errors,
 * figures, URLs, identifiers, decisions, to-dos; each with the entry it came from. Said twice is listed once, with the newest
 * entry. Pure, and bounded whatever the range holds.
 */
export function extractLedger(entries: readonly Entry[]): Ledger {
  return ledgerOf(piecesOfEntries(entries));
}

/** The same, for entries that have been read already, after what `earlier` summaries list. */
export function ledgerOf(readings: readonly Reading[], earlier: readonly Summary[] = []): Ledger {
  const books: Books = { files: newestFiles(), items: newestItems(), todos: todoBook(), open: new Map() };
  for (const summary of earlier) carrySummary(books, summary);
  for (const { entry, pieces } of readings) {
    for (const piece of pieces) readPiece(books, entry.id, piece);
    if (entry.body.kind !== 'message') readNote(books, entry);
  }
  for (const call of books.open.values()) settle(books, call, undefined);
  for (const { kind, text, entry } of books.todos.list()) books.items.add({ kind, text, entry });
  return { files: books.files.list(), ledger: books.items.list() };
}

function readPiece(books: Books, entry: EntryId, piece: Piece): void {
  switch (piece.kind) {
    case 'said':
      readWords(books, entry, piece);
      return;
    case 'call': {
      const call = { entry, tool: piece.tool, actions: toolActions(piece.tool, piece.input) };
      const unanswered = books.open.get(piece.id);
      if (unanswered) settle(books, unanswered, undefined);
      if (piece.id) books.open.set(piece.id, call);
      else settle(books, call, undefined);
      return;
    }
    case 'result': {
      const call = books.open.get(piece.id);
      books.open.delete(piece.id);
      if (call) settle(books, call, piece);
      readResult(books, {
        entry,
        result: { ...piece, tool: call?.tool ?? piece.tool },
        looks: call ? looks(call) : false,
      });
    }
  }
}

type Result = Extract<Piece, { kind: 'result' }>;

/** What failed did not happen: a refused edit is an error, not an edit. Commands happened either way. */
function settle({ files, items, todos }: Books, { entry, actions }: Call, result: Result | undefined): void {
  const outcome = result?.exit !== undefined ? ` → exit ${result.exit}` : result?.failed ? ' → failed' : '';
  for (const command of actions.commands) {
    const text = shortCommand(command);
    if (text) items.add({ kind: 'command', text: `${text}${outcome}`, entry }, text);
  }
  for (const url of actions.urls) items.add({ kind: 'url', text: url, entry });
  if (result?.failed && actions.commands.length === 0) return;
  const created = /\b(?:created|new file)\b/i.test(result?.text.slice(0, 200) ?? '');
  for (const { path, operation } of actions.files) {
    files.add(path, [operation === 'written' && created ? 'created' : operation], [entry]);
  }
  if (actions.todos) todos.replaceList(actions.todos, entry);
}

const OUTCOME = / → (?:exit -?\d+|failed)$/;
const LONGEST_COMMAND = 200;

/** One line of it: scripts and here-documents are data. */
function shortCommand(command: string): string {
  const text = command.trim();
  const line = text.split('\n', 1)[0]!.trim();
  const short = line.length > LONGEST_COMMAND ? line.slice(0, LONGEST_COMMAND).toWellFormed() : line;
  return short.length < text.length && short ? `${short} …` : short;
}

function readWords(
  { items, todos }: Books,
  entry: EntryId,
  { text, role }: Extract<Piece, { kind: 'said' }>,
): void {
  const byUser = role === 'user';
  for (const decision of findDecisions(text, { byUser }))
    items.add({ kind: 'decision', text: decision, entry });
  for (const error of findErrors(text)) items.add({ kind: 'error', text: error, entry });
  readFigures(items, { entry, text });
  todos.add(text, entry);
}

/** Output shorter than this is an answer; longer output is data, of which only the verdict matters. */
const SHORT_OUTPUT = 800;

function readResult(
  { items }: Books,
  { entry, result, looks: looked }: { entry: EntryId; result: Result; looks: boolean },
): void {
  const { text, tool, failed } = result;
  // A copy of a file may say anything about errors.
  const copy = looked || readsFiles(tool);
  if (failed || !copy) {
    for (const error of findErrors(text, { failed, copy })) items.add({ kind: 'error', text: error, entry });
  }
  if (copy) return;
  const told = text.length <= SHORT_OUTPUT ? text : isShell(tool) ? verdictOf(text) : '';
  readFigures(items, { entry, text: told, byTool: true });
}

function looks({ actions }: Call): boolean {
  return actions.commands.length > 0 && actions.commands.every(onlyLooks);
}

function readFigures(
  items: ItemList,
  { entry, text, byTool = false }: { entry: EntryId; text: string; byTool?: boolean },
): void {
  if (!text) return;
  for (const figure of findFigures(text)) {
    if (!(byTool && DURATION.test(figure))) items.add({ kind: 'figure', text: figure, entry });
  }
  for (const url of findUrls(text)) items.add({ kind: 'url', text: url, entry });
  for (const name of findIdentifiers(text)) items.add({ kind: 'identifier', text: name, entry });
}

/** How long something took this time: programs say it with every line. */
const DURATION = /^[\d.,]+ ?(?:[mµn]?s|secs?|seconds?|mins?|minutes?)$/;
const VERDICT =
  /\b(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|tests?|coverage|warnings?|errors?|total|duration|elapsed|took|real|built)\b/i;

/** The last lines of a long output that sum it up: counts of tests, errors, times. */
function verdictOf(text: string): string {
  const lines = text.slice(-SHORT_OUTPUT).split('\n').slice(1);
  return lines.filter((line) => line.length < 160 && VERDICT.test(line)).join('\n');
}

/** Structured state that belongs to the session, and what older summaries in the range carry. */
function readNote(books: Books, { id, body }: Entry): void {
  switch (body.kind) {
    case 'todo':
      books.todos.set(body, id);
      return;
    case 'loop':
      for (const check of body.failed) {
        books.items.add({ kind: 'error', text: `failed check: ${check}`, entry: id });
      }
      if (body.lastError) {
        books.items.add({ kind: 'error', text: body.lastError.slice(0, 300).toWellFormed(), entry: id });
      }
      return;
    case 'compaction':
    case 'restoration':
    case 'merge':
      carrySummary(books, body.summary);
  }
}

const TODO_KINDS = new Set(['todo', 'next', 'done']);

function carrySummary({ files, items, todos }: Books, summary: Summary): void {
  for (const item of summary.ledger) {
    if (TODO_KINDS.has(item.kind)) todos.carry(item);
    else items.add(item, item.kind === 'command' ? item.text.replace(OUTCOME, '') : undefined);
  }
  for (const { path, operations, from } of summary.files) files.add(path, operations, from ?? []);
}
