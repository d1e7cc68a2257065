import type { EntryBody, UnknownBody } from '../record/index.ts';

// Lines that mean nothing to a conversation (snapshots, progress, headers) or that a reader does not know are kept as the
// text they are, under a kind that says where they came from. So they go back into a file of that format unchanged.

/** A line of a foreign file as an entry: `pi/label`, `codex/turn_context`. `n` is its place, where that matters. */
export function keepForeignLine(format: string, type: unknown, text: string, n?: number): UnknownBody {
  const kind = `${format}/${typeof type === 'string' && type !== '' ? type.slice(0, 100) : 'line'}`;
  return { kind: 'unknown', was: kind, value: { kind, text, ...(n !== undefined && { n }) } };
}

/** Text that is no whole record. */
export function keepForeignFragment(format: string, text: string, n?: number): UnknownBody {
  return keepForeignLine(format, FRAGMENT, text, n);
}

const FRAGMENT = '(fragment)';

interface ForeignLine {
  readonly type: string;
  readonly text: string;
  readonly n?: number;
}

/** The line that an entry carries for a format, if it is one. */
export function foreignLineOf(format: string, body: EntryBody): ForeignLine | undefined {
  if (body.kind !== 'unknown' || !body.was.startsWith(`${format}/`)) return undefined;
  const { text, n } = body.value;
  if (typeof text !== 'string') return undefined;
  return { type: body.was.slice(format.length + 1), text, ...(typeof n === 'number' && { n }) };
}
