import { deriveEntryId, type EntryBody, type SeqRange, type SessionInfo } from '../../record/index.ts';
import type { Family, OutgoingEntry, OutgoingSession } from '../transcript.ts';

/** The same sessions with every entry changed on its way out, or left out. The logs are not touched. */
function changeFamily(
  { sessions, asked }: Family,
  change: (entry: OutgoingEntry) => Promise<OutgoingEntry | undefined>,
  changeInfo: (info: SessionInfo) => SessionInfo = (info) => info,
): Family {
  async function* changed(entries: AsyncIterable<OutgoingEntry>): AsyncGenerator<OutgoingEntry> {
    for await (const entry of entries) {
      const now = await change(entry);
      if (now) yield now;
    }
  }
  const through = (session: OutgoingSession): OutgoingSession => ({
    info: changeInfo(session.info),
    entries: (range) => changed(session.entries(range)),
    notes: (after) => changed(session.notes(after)),
  });
  const all = sessions.map(through);
  return { sessions: all, asked: all[sessions.indexOf(asked)]! };
}

/** The line that is asked for with one more entry at its end, said by the program. */
export function withBriefing(family: Family, text: string): Family {
  const { asked, sessions } = family;
  async function* followed(entries: AsyncIterable<OutgoingEntry>): AsyncGenerator<OutgoingEntry> {
    let last: OutgoingEntry | undefined;
    for await (const entry of entries) {
      yield entry;
      last = entry;
    }
    const id = deriveEntryId('handoff', asked.info.id);
    const body = { kind: 'message' as const, role: 'system' as const, parts: [{ type: 'text', text }] };
    yield { id, seq: asked.info.head + 1, at: last?.at ?? asked.info.createdAt, body };
  }
  const briefed: OutgoingSession = { ...asked, entries: (range) => followed(asked.entries(range)) };
  return { sessions: sessions.map((one) => (one === asked ? briefed : one)), asked: briefed };
}

/** Only the messages from one entry to another. */
export function withRange(family: Family, { from, to }: SeqRange): Family {
  return changeFamily(family, async (entry) => {
    const inside = entry.seq >= from && entry.seq <= to;
    return inside || entry.body.kind === 'setting' ? entry : undefined;
  });
}

/** Every text with its secrets taken out: a format that has a hash at its end has that of the written text. */
export async function withRedaction(
  family: Family,
  redact: (text: string) => Promise<string>,
): Promise<Family> {
  // Loaded when it is needed: behind the same door is the scanner, which takes its time to load.
  const { redactValue } = await import('../../text/secrets/index.ts');
  const states = new Map<SessionInfo, SessionInfo>();
  for (const { info } of family.sessions)
    states.set(info, { ...info, state: (await redactValue(info.state, { redact })) as SessionInfo['state'] });
  return changeFamily(
    family,
    async (entry) => ({ ...entry, body: (await redactValue(entry.body, { redact })) as EntryBody }),
    (info) => states.get(info) ?? info,
  );
}
