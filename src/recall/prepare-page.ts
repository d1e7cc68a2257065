import type { Entry, Message, Seq, SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import type { Page } from './index-file/index-batch.ts';
import type { Senses } from './meaning/embed-message.ts';
import { indexText } from './text/index-text.ts';
import { messageText } from './text/message-text.ts';

export interface PageSource {
  readonly store: Store;
  readonly redact: (text: string) => string;
  readonly senses: Senses | undefined;
}

/** Everything about some messages of a session that the index keeps, computed outside of any transaction. */
export async function preparePage(
  { store, redact, senses }: PageSource,
  info: SessionInfo,
  { after, upTo, entries }: { after: Seq; upTo: Seq; entries: readonly Entry[] },
): Promise<Page> {
  const messages = entries.flatMap(({ body, ...entry }) =>
    body.kind === 'message' ? [{ ...entry, body }] : [],
  );
  const texts = await Promise.all(messages.map(({ body }) => messageText(body, (hash) => store.blob(hash))));
  const read = messages.map(({ seq, id, at, body }, index) => {
    const speaker = speakerOf(body, info);
    return {
      seq,
      entry: id,
      at,
      role: body.role,
      speaker: speaker === undefined ? undefined : redact(speaker),
      text: redact(texts[index]!.text),
      files: texts[index]!.files.map(redact),
    };
  });
  const meanings = await senses?.embedMessages(read);
  return {
    session: info.id,
    createdAt: info.createdAt,
    after,
    upTo,
    docs: read.map((doc, index) => ({
      ...doc,
      text: indexText(doc.text),
      ...(meanings && { meaning: meanings[index]! }),
    })),
  };
}

const LONGEST_NAME = 80;

/** Who said it, by name, where that is known: as the host or importer noted it, or the session's agent. */
function speakerOf({ role, meta }: Message, { state }: SessionInfo): string | undefined {
  const noted = meta?.speaker ?? meta?.name ?? (role === 'assistant' ? state.settings.agent : undefined);
  return typeof noted === 'string' && noted !== '' && noted.length <= LONGEST_NAME ? noted : undefined;
}
