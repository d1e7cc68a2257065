import type { FileHistory, FileTouch } from '../../../search/index.ts';
import { sayCount } from '../../../text/index.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { sayTime } from '../terminal/say.ts';
import { foldWidth } from '../terminal/screen-width.ts';
import { cutToWidth } from '../terminal/text-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** Who touched it, when and why: turn by turn, newest first. */
export function renderTouches({ path, matched, touches, more, sessions, damaged }: FileHistory): string[] {
  const where = visibleLine(path) || 'this project';
  const lost = damaged.map((id) => dim(`${id} could not be read to its end; "throughline doctor" says why.`));
  if (touches.length === 0)
    return [`No session of ${sayCount(sessions, 'session')} touched ${where}.`, ...lost];
  return [
    ...(matched === 'end' ? [dim(`Nothing is known of ${where} itself; these end like it.`)] : []),
    ...turns(touches).flatMap(turnLines),
    ...(more ? [dim('There are older ones: -n shows more.')] : []),
    ...lost,
  ];
}

/** Touches that go back to one request are one line of thought. */
function turns(touches: readonly FileTouch[]): FileTouch[][] {
  const groups: FileTouch[][] = [];
  for (const touch of touches) {
    const last = groups.at(-1)?.[0];
    const same = last?.session === touch.session && last.request?.entry === touch.request?.entry;
    if (same) groups.at(-1)!.push(touch);
    else groups.push([touch]);
  }
  return groups;
}

function turnLines(turn: readonly FileTouch[]): string[] {
  const { at, session, request } = turn[0]!;
  const why = request ? `“${visibleLine(request.text.slice(0, 500))}”` : '(nobody asked)';
  return [
    `${dim(sayTime(at))}  ${cyan(session)}  ${cutToWidth(why, Math.max(20, foldWidth() - 20 - session.length))}`,
    ...turn.map(
      ({ seq, operation, path }) => `    ${dim(`entry ${seq}`)}  ${operation}  ${visibleLine(path)}`,
    ),
  ];
}
