import type { WorkCheckpoint, WorkSessionRecord } from '../../../operations/work/index.ts';
import { sayCount, sayNumber } from '../../../text/index.ts';
import { bold, dim } from '../terminal/paint.ts';
import { sayAge } from '../terminal/say.ts';
import { visibleLine, visibleText } from '../terminal/visible-text.ts';

const BAR = 20;

export function renderWorkSessions(sessions: readonly (WorkSessionRecord & { ended: boolean })[]): string[] {
  if (sessions.length === 0)
    return ['No sessions yet. Start one: throughline work session <type> <feature> [task]'];
  return sessions.flatMap((session) => [
    `${bold(session.session)}  ${dim(`${sayAge(session.updatedAt)}${session.ended ? ', ended' : ''}`)}`,
    ...partLines(session).slice(0, 1),
  ]);
}

export function renderWorkSession(session: WorkSessionRecord): string[] {
  const { session: id, shows } = session;
  return [bold(id), ...partLines(session), ...shows.map((other) => `shows the checkpoint of ${other}`)];
}

/** How full the next request is, and with what. */
function partLines({ tokens, messages, checkpoint, loop }: WorkSessionRecord): string[] {
  const { request, budget } = tokens;
  const filled = Math.min(BAR, Math.round((request / budget) * BAR));
  const share = `${Math.round((request / budget) * 100)} %`;
  const version = checkpoint.version === 0 ? 'no checkpoint yet' : `checkpoint ${checkpoint.version}`;
  const stands = loop
    ? `, iteration ${loop.iteration}: ${sayCount(loop.failed.length, 'check')} failing`
    : '';
  return [
    `  ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${share} of ${sayNumber(budget)} tokens  ${dim(`${sayCount(messages, 'message')}, ${version}${stands}`)}`,
    ...(['role', 'head', 'context', 'checkpoint', 'messages'] as const).map(
      (part) => `  ${part.padEnd(10)} ${sayNumber(tokens[part]).padStart(8)}`,
    ),
  ];
}

const LISTS = [
  ['Completed', 'completedItems'],
  ['Still to do', 'pendingItems'],
  ['Decisions', 'decisions'],
  ['Blockers', 'blockers'],
] as const;

export function renderCheckpointFile({
  sessionId,
  version,
  summary,
  ralphLoop,
  tokens,
}: WorkCheckpoint): string[] {
  const lists = LISTS.flatMap(([title, list]) =>
    summary[list].length === 0
      ? []
      : [`${title}:`, ...summary[list].map((text) => `  - ${visibleText(text)}`)],
  );
  const loop = ralphLoop
    ? [
        `Iteration ${ralphLoop.currentIteration}: passed ${ralphLoop.passedChecks.join(', ') || 'nothing'}, failed ${ralphLoop.failedChecks.join(', ') || 'nothing'}`,
        ...(ralphLoop.lastError === undefined ? [] : [`  ${visibleLine(ralphLoop.lastError)}`]),
      ]
    : [];
  return [
    `${bold(sessionId)}  ${dim(version === 0 ? 'nothing was compacted yet' : `version ${version}`)}`,
    ...lists,
    ...loop,
    dim(
      `${sayNumber(tokens.checkpoint)} tokens; the last compaction took ${sayNumber(tokens.lastCompactionInput)}, and all have saved ${sayNumber(tokens.totalSaved)}`,
    ),
  ];
}
