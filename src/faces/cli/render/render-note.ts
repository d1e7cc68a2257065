import type { CutBy, EntryBody, Message, Run, Target, WorkLabel } from '../../../record/index.ts';
import { sayNumber } from '../../../text/index.ts';
import { shortValue } from './short-value.ts';

/** An entry that is no message, in one line: a note, setting, mark or summary. */
export function renderNote(body: Exclude<EntryBody, Message>): string {
  switch (body.kind) {
    case 'compaction': {
      const { covers, tokensBefore, tokensAfter, by, summary } = body;
      const tokens = `${sayNumber(tokensBefore)} → ${sayNumber(tokensAfter)} tokens`;
      return `compaction of ${covers.from}–${covers.to}, ${tokens}, by ${shortValue(by.model ?? by.kind)}: ${shortValue(summary.overview)}`;
    }
    case 'mark':
      return `${body.mark}: ${sayTarget(body.target)}`;
    case 'restoration':
      return `resumed from ${body.parent}: ${shortValue(body.summary.overview)}`;
    case 'setting':
      return body.value === null
        ? `${shortValue(body.name)} cleared`
        : `${shortValue(body.name)}: ${shortValue(body.value)}`;
    case 'todo':
      return `to-do ${shortValue(body.id)} (${body.status.replace('_', ' ')}): ${shortValue(body.text)}`;
    case 'document':
      return `document ${shortValue(body.id)}: ${body.content === null ? 'removed' : shortValue(body.title)}`;
    case 'loop':
      return `loop ${body.iteration}: ${body.passed.length} passed, ${body.failed.length} failed${body.lastError ? `, ${shortValue(body.lastError)}` : ''}`;
    case 'merge':
      return `merged ${body.branch} up to its entry ${body.head}: ${shortValue(body.summary.overview)}`;
    case 'fact':
      return 'text' in body
        ? `fact ${body.step}: ${shortValue(body.text)}`
        : `fact ${body.fact} ${body.step}`;
    case 'run':
      return renderRun(body);
    case 'work':
      return renderWork(body);
    case 'unknown':
      return `unknown kind "${shortValue(body.was)}": ${shortValue(body.value)}`;
  }
}

const BY: Readonly<Record<CutBy, string>> = {
  person: 'a person',
  shutdown: 'the end of the process',
  crash: 'a crash',
  provider: 'the provider',
};

/** Bookkeeping of a turn; a step of a newer version says at least its name. */
function renderRun(body: Run): string {
  switch (body.step) {
    case 'started':
      return `began ${shortValue(body.tool)}`;
    case 'partial':
      return `answering: ${shortValue(body.parts.map(({ text }) => text ?? '').join(''))}`;
    case 'ended':
      return `turn ${body.status}${body.error ? `: ${shortValue(body.error.message)}` : body.by ? ` by ${BY[body.by]}` : ''}`;
    case 'begun':
      return 'turn begun again';
    case 'steering':
      return `handed in to the turn: ${shortValue(body.parts.map(({ text }) => text ?? '').join(' '))}`;
    case 'waiting':
      return `waiting for its turn: ${shortValue(body.parts.map(({ text }) => text ?? '').join(' '))}`;
    default:
      return `run: ${shortValue(body)}`;
  }
}

/** A step on a board; one of a newer version says at least its name. */
function renderWork(body: WorkLabel): string {
  const what = 'task' in body && body.task !== undefined ? `${body.feature}/${body.task}` : body.feature;
  switch (body.step) {
    case 'moved':
      return `${what}: ${body.from} → ${body.to}${body.reason ? `, ${shortValue(body.reason)}` : ''}`;
    case 'session':
      return `${what}: session ${body.session}${body.ended ? ' ended' : ''}`;
    case 'feature':
      return `feature ${what}${body.removed ? ' removed' : `: ${shortValue(body.name ?? '')}`}`;
    case 'task':
      return `task ${what}${body.removed ? ' removed' : `: ${shortValue(body.title ?? '')}`}`;
    default:
      return `work: ${shortValue(body)}`;
  }
}

function sayTarget(target: Target): string {
  if ('entry' in target) return `entry ${target.entry}`;
  return target.from === target.to ? `entry ${target.from}` : `entries ${target.from}–${target.to}`;
}
