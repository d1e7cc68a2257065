import { isOfflineAnswer } from '../models/index.ts';
import type { Entry, Message, Seq, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { findDecisions, piecesOfEntries } from '../text/index.ts';
import type { Page } from './index/index-batch.ts';
import type { Speaker } from './index/tables.ts';
import type { Senses } from './meaning/embed-message.ts';
import { askedShare } from './text/asked-share.ts';
import { factShare } from './text/fact-share.ts';
import { indexText } from './text/index-text.ts';
import { messageText } from './text/message-text.ts';
import { plainPath } from './text/paths-in.ts';
import { pathsNamed } from './text/paths-named.ts';

export interface PageSource {
  readonly store: Store;
  readonly redact: (text: string) => string;
  readonly senses: Senses | undefined;
}

/**
 * Everything about some messages of a session that the index keeps, computed outside of any transaction. Answers of the offline
 * model are left out: they quote the messages that a search is for, and would stand before them.
 */
export async function preparePage(
  { store, redact, senses }: PageSource,
  info: SessionInfo,
  { after, upTo, entries }: { after: Seq; upTo: Seq; entries: readonly Entry[] },
): Promise<Page> {
  const messages = entries.flatMap((entry) =>
    entry.body.kind === 'message' && !isOfflineAnswer(entry.body) ? [{ entry, body: entry.body }] : [],
  );
  const texts = await Promise.all(messages.map(({ body }) => messageText(body, (hash) => store.blob(hash))));
  const read = messages.map(({ entry, body }, index) => {
    const speaker = speakerOf(body, info);
    const text = redact(texts[index]!);
    // A part of a path alone may not look like a secret any more: a part outside the redacted text is not a path.
    const files = pathsNamed(entry).filter((file) => text.includes(file));
    return {
      seq: entry.seq,
      entry: entry.id,
      at: entry.at,
      role: body.role,
      speaker: speaker && { ...speaker, name: redact(speaker.name) },
      text,
      files: [...new Set(files.map(plainPath))],
      decides: statesDecision(entry, redact),
      asks: askedShare(text),
      facts: factShare(text),
    };
  });
  return {
    session: info.id,
    createdAt: info.createdAt,
    after,
    upTo,
    docs: read.map((doc) => ({
      ...doc,
      text: indexText(doc.text),
      ...(senses && { meaning: senses.read(doc) }),
    })),
  };
}

const LONGEST_NAME = 80;

/** Who said it, by name, where that is known: as the host or importer noted it, or the session's agent. */
function speakerOf({ role, meta }: Message, { state }: SessionInfo): Speaker | undefined {
  const noted = meta?.speaker ?? meta?.name;
  const name = noted ?? (role === 'assistant' ? state.settings.agent : undefined);
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) return undefined;
  return { name, noted: noted !== undefined };
}

/**
 * True if a message states a choice. It is the rule that summaries list decisions by, asked of the message itself, so that it
 * holds in sessions that were never compacted, too.
 */
function statesDecision(entry: Entry, redact: (text: string) => string): boolean {
  const { body } = entry;
  if (body.kind !== 'message' || (body.role !== 'user' && body.role !== 'assistant')) return false;
  return piecesOfEntries([entry]).some(({ pieces }) =>
    pieces.some(
      (piece) =>
        piece.kind === 'said' &&
        findDecisions(redact(piece.text), { byUser: piece.role === 'user' }).length > 0,
    ),
  );
}
