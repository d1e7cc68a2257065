import type { SeqRange, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { writeHtml } from '../formats/html/write.ts';
import { type FormatName, formatNamed } from '../formats.ts';
import type { OutgoingEntry, Written } from '../transcript.ts';
import { withBriefing, withRange, withRedaction } from './change-family.ts';
import { readFamily } from './read-family.ts';

export interface ExportOptions {
  /** One of the formats that are written, or a page for people. */
  readonly format: FormatName | 'html';
  /** Only this line of conversation, without forks from it or beside it. */
  readonly alone?: boolean;
  /** Markdown: show tool calls and what they gave back. */
  readonly tools?: boolean;
  /** Markdown: where the transcript of the session that this one was resumed from lies. */
  readonly previousSession?: string;
  /** Only the entries of this range: for formats that people read. */
  readonly range?: SeqRange;
  /** For the agent that continues it: said at the end, in the program's name. */
  readonly briefing?: string;
  /** What the session is called in the file, for agents: a UUID. Otherwise as where it came from, or as here. */
  readonly name?: string;
  /** Takes the secrets out of a text. */
  readonly redact?: (text: string) => Promise<string>;
  /** Called with each entry that the format has no place for. */
  readonly onLeftOut?: (entry: OutgoingEntry) => void;
}

/** Writes a session in a format, piece by piece; most formats are one file. */
export async function* exportSession(
  store: Store,
  session: SessionInfo,
  { format, alone = false, range, briefing, redact, ...options }: ExportOptions,
): AsyncGenerator<Written> {
  const { writer, branches = false } = format === 'html' ? PAGE : formatNamed(format);
  if (!writer) throw new Error(`bug: the format "${format}" is not written`);
  const write = await writer();
  const subAgents = format === 'throughline';
  const whole = await readFamily(store, session, {
    alone: alone || !branches || range !== undefined,
    subAgents,
  });
  const ranged = range ? withRange(whole, range) : whole;
  const asked = briefing === undefined ? ranged : withBriefing(ranged, briefing);
  yield* write(redact ? await withRedaction(asked, redact) : asked, options);
}

/** Written only: pages are not session files. */
const PAGE = { writer: async () => writeHtml, branches: false };
