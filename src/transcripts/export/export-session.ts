import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { type FormatName, formatNamed } from '../formats.ts';
import type { OutgoingEntry, Written } from '../transcript.ts';
import { readFamily } from './read-family.ts';

export interface ExportOptions {
  readonly format: FormatName;
  /** Only this line of conversation, without what was forked from it or beside it. */
  readonly alone?: boolean;
  /** Markdown: show tool calls and what they gave back. */
  readonly tools?: boolean;
  /** Told of each entry that the format has no place for. */
  readonly onLeftOut?: (entry: OutgoingEntry) => void;
}

/** Writes a session in a format, piece by piece; most formats are one file. */
export async function* exportSession(
  store: Store,
  session: SessionInfo,
  { format, alone = false, ...options }: ExportOptions,
): AsyncGenerator<Written> {
  const { writer, branches } = formatNamed(format);
  if (!writer) throw new Error(`bug: the format "${format}" is not written`);
  const write = await writer();
  const subAgents = format === 'throughline';
  yield* write(await readFamily(store, session, { alone: alone || !branches, subAgents }), options);
}
