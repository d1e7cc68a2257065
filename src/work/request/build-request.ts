import type { PreparedHead } from '../../agent/index.ts';
import type { Load } from '../../compaction/index.ts';
import type { HeadPiece } from '../../context/index.ts';
import { type Entry, isHidden, type SessionId, type SummaryLine, summaryIn } from '../../record/index.ts';
import { sayTheSame } from '../../summary/index.ts';
import { countSurely, countText } from '../../tokens/index.ts';
import { renderRole } from '../agents/render-role.ts';
import { readShown, shownIn } from '../checkpoint/shown-checkpoints.ts';
import { refreshHead } from '../context/refresh-head.ts';
import type { Desk } from '../desk.ts';
import { loopNow } from '../loop/rounds.ts';
import { layoutHead } from './layout-head.ts';
import {
  layoutRequest,
  limitsOf,
  type RequestParts,
  renderLoop,
  type WorkRequest,
} from './layout-request.ts';
import { renderWorkCheckpoint, type ShownCheckpoint } from './render-checkpoint.ts';
import type { SessionView } from './session-view.ts';

/** Room for a question that is not known yet. */
const QUESTION_TOKENS = 1000;

/**
 * The whole request for the next question of a session: role, head, context, checkpoint and recent conversation, and the
 * question itself. The head and the recalled messages are those of a turn of the session. Compacts first if the request would
 * be over the budget; is under it in any case.
 */
export async function buildWorkRequest(desk: Desk, id: SessionId, userMessage: string): Promise<WorkRequest> {
  const before = await desk.sessions.read(id);
  const { description, context } = await refreshHead(desk, before);
  const prepared = await desk.heads.read(before.info);
  if (prepared.agentProblem !== undefined)
    desk.emit({ type: 'source-broken', session: id, reason: prepared.agentProblem });
  await considerCompaction(desk, id);
  const view = await desk.sessions.read(id);
  const shown = await Promise.all(
    shownIn(view.info).map(async (session) => ({ session, checkpoint: await readShown(desk, session) })),
  );
  const request = layCounted(desk, {
    session: id,
    role: renderRole(description),
    head: headIn(view, prepared),
    context,
    shown: shown.flatMap(({ session, checkpoint }) => (checkpoint ? [{ session, checkpoint }] : [])),
    checkpoint: checkpointIn(view),
    messages: view.messages,
    pinned: view.pinned,
    marks: view.marks,
    loop: await loopNow(desk, view),
    userMessage,
    recalled: await prepared.recall(userMessage, view.info),
    ...(desk.recallTokens !== undefined && { recallTokens: desk.recallTokens }),
  });
  tellLeftOut(desk, id, request);
  return request;
}

/** Laid by estimate, in less room until what a tokenizer counts is within the budget. */
function layCounted(desk: Desk, parts: RequestParts & { readonly session: SessionId }): WorkRequest {
  const { budget, model, countTokens, calibration } = desk;
  const scale = scaleOf(desk, parts.session);
  for (let most = Math.floor(budget / scale); ; ) {
    const request = layoutRequest(parts, most);
    const { systemPrompt, userPrompt, totalTokens: estimated } = request;
    const sum = (count: (text: string) => number) => count(systemPrompt) + count(userPrompt);
    const counted = countTokens ? sum(countTokens) : countSurely(sum, { model, estimated, room: budget });
    const reported = countTokens ? counted : Math.max(counted, estimated);
    // Without a tokenizer the estimate counts, unless it was too low to keep to the budget.
    if (countTokens || counted > budget || scale > 1)
      calibration.observe({ model: parts.session, estimated, reported });
    if (reported <= budget) return countTokens ? { ...request, totalTokens: reported } : request;
    most = Math.min(most - 1, Math.floor((most * budget) / reported));
  }
}

/** Tokens as the desk counts them for one as they are estimated: a session has its language and its kind of text. */
function scaleOf({ calibration }: Pick<Desk, 'calibration'>, session: SessionId): number {
  return calibration.correct(session, 1_000_000) / 1_000_000;
}

/** The pieces of the head that are separate sections. The context has the instruction files of the project. */
function headIn({ system }: SessionView, { head }: PreparedHead): readonly HeadPiece[] {
  const said = system.map((text): HeadPiece => ({ part: 'system', text }));
  return [...head.filter(({ part }) => part !== 'instructions'), ...said];
}

const reported = new WeakMap<Desk, Map<SessionId, string>>();

/** Once for the same numbers: a request with as many lines left out as the one before is no news. */
function tellLeftOut(desk: Desk, session: SessionId, { leftOut = {} }: WorkRequest): void {
  const before = reported.get(desk) ?? new Map<SessionId, string>();
  reported.set(desk, before);
  const now = JSON.stringify(leftOut);
  if (now !== (before.get(session) ?? '{}') && now !== '{}')
    desk.emit({ type: 'lines-left-out', session, leftOut });
  before.set(session, now);
}

/** How full the next request of a session is. */
export async function measureRequest(desk: Desk, view: SessionView): Promise<Load> {
  return measureView(desk, view, await desk.heads.read(view.info));
}

/** The same with a head that was prepared: before anything is left out. Compaction goes by this. */
export function measureView(
  desk: Pick<Desk, 'budget' | 'calibration'>,
  view: SessionView,
  prepared: PreparedHead,
): Load {
  const { description, context, loop, info } = view;
  const { budget: whole } = desk;
  const scale = scaleOf(desk, info.id);
  const budget = Math.floor(whole / scale);
  const role = description?.tokens ?? 0;
  const asked = Math.min(QUESTION_TOKENS, Math.floor(budget / 10));
  const limits = limitsOf(budget - role - asked);
  // A part counts up to its limit: compacting messages makes none of them smaller.
  const head = Math.min(headTokens(view, prepared), limits.head);
  const used =
    head +
    Math.min(context?.tokens ?? 0, limits.context(head)) +
    (shownIn(info).length > 0 ? limits.shown : 0) +
    (loop ? countText(renderLoop(loop, limits.loop)) : 0);
  const checkpoint = Math.min(checkpointTokens(view), limits.checkpoint(used));
  const said = visibleMessages(view);
  const fixed = role + asked + used + checkpoint + sumMessageTokens(view.pinned);
  return {
    tokens: Math.ceil((fixed + sumMessageTokens(said)) * scale),
    room: whole,
    messages: said.length,
    lines: said.length,
    fixed: Math.ceil(fixed * scale),
    scale,
    summariesFixed: true,
  };
}

export async function considerCompaction(desk: Desk, id: SessionId): Promise<void> {
  if (desk.store.facts.readOnly !== undefined) return;
  await desk.compactor.consider(await desk.handle(id));
}

/** Messages that no mark hides. */
export function visibleMessages({ messages, marks }: SessionView): readonly Entry[] {
  return messages.filter((entry) => !isHidden(marks, entry));
}

export function sumMessageTokens(entries: readonly Entry[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}

const countedHeads = new WeakMap<
  PreparedHead,
  { readonly system: readonly string[]; readonly tokens: number }
>();

/** Of the head as a request shows it. */
export function headTokens(view: SessionView, prepared: PreparedHead): number {
  const known = countedHeads.get(prepared);
  if (known?.system === view.system) return known.tokens;
  const tokens = countText(layoutHead(headIn(view, prepared)));
  countedHeads.set(prepared, { system: view.system, tokens });
  return tokens;
}

const counted = new WeakMap<SessionView['fold'], number>();

/** Of the checkpoint as a request shows it. */
export function checkpointTokens(view: SessionView): number {
  let tokens = counted.get(view.fold);
  if (tokens === undefined) {
    tokens = countText(renderWorkCheckpoint(checkpointIn(view)).text);
    counted.set(view.fold, tokens);
  }
  return tokens;
}

function checkpointIn({ fold, records, marks }: SessionView): ShownCheckpoint {
  const summaries = records.flatMap((record) =>
    isHidden(marks, record) ? [] : (summaryIn(record.body) ?? []),
  );
  const goal = distinct(summaries.flatMap((summary) => summary.goal ?? []));
  const said = new Set(goal.map(({ text }) => text));
  const overview = new Set(
    summaries.flatMap(({ foreign = '', overview }) => [foreign, overview].flatMap(paragraphsOf)),
  );
  return {
    ...fold.checkpoint,
    goal,
    dropped: distinct(summaries.flatMap((summary) => summary.dropped ?? [])),
    overview: [...overview].filter((text) => !said.has(text)),
  };
}

function distinct(lines: readonly SummaryLine[]): SummaryLine[] {
  return lines.filter(({ text }, at) => lines.findIndex((other) => sayTheSame(other.text, text)) === at);
}

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
}
