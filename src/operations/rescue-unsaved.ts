import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ThroughlineError } from '../errors.ts';
import type { NewEntry, SessionInfo } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { sayCount } from '../text/index.ts';
import type { OutgoingEntry, OutgoingSession } from '../transcripts/index.ts';

// What the store refuses to take waits in memory, and memory ends with the process. So before that it goes to a separate
// file, in the form that an import reads: the stored entries of the session, and behind them the unsaved ones.

/** Writes what could not be saved where there is room. Gives the error that the program ends with, if there was any. */
export async function rescueUnsaved(
  sessions: Iterable<Session>,
  { location }: { location: string },
): Promise<ThroughlineError | undefined> {
  const waiting = [...sessions].filter(({ unsaved }) => unsaved.length > 0);
  if (waiting.length === 0) return undefined;
  const told: string[] = [];
  const files: string[] = [];
  for (const session of waiting) {
    const what = `${sayCount(session.unsaved.length, 'entry', 'entries')} of session "${session.id}"`;
    const file = await rescue(
      session,
      path.isAbsolute(location) ? [path.dirname(location), tmpdir()] : [tmpdir()],
    );
    if (file !== undefined) files.push(file);
    told.push(
      file === undefined
        ? `${what} could not be saved anywhere and ${session.unsaved.length === 1 ? 'is' : 'are'} lost.`
        : `${what} could not be saved in the store. Import the file ${file} once it takes them again.`,
    );
  }
  return new ThroughlineError('not-saved', told.join(' '), {
    details: { session: waiting[0]!.id, unsaved: waiting[0]!.unsaved.length, files },
  });
}

/** The first folder that takes it. */
async function rescue(session: Session, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const file = path.join(folder, `rescued-${session.id}-${Date.now()}.jsonl`);
    try {
      await write(session, file);
      return file;
    } catch {
      // Half of it would be read as damaged; the next folder may have room for all.
      await rm(file, { force: true }).catch(() => {});
    }
  }
  return undefined;
}

async function write({ store, info, unsaved }: Session, file: string): Promise<void> {
  const { formatNamed, outgoing } = await import('../transcripts/index.ts');
  const writer = await formatNamed('throughline').writer!();
  const session = withUnsaved(outgoing(store, (await store.session(info.id)) ?? info), unsaved);
  await using handle = await open(file, 'wx', 0o600);
  for await (const { text } of writer({ sessions: [session], asked: session })) await handle.writeFile(text);
  await handle.datasync();
}

function withUnsaved(stored: OutgoingSession, unsaved: readonly NewEntry[]): OutgoingSession {
  const { head }: SessionInfo = stored.info;
  const late = unsaved.map(({ id, at, body }, index): OutgoingEntry => {
    // A session names its entries before it tries to write them.
    return { id: id!, at: at!, seq: head + 1 + index, body };
  });
  return {
    ...stored,
    async *entries(range) {
      yield* stored.entries(range);
      yield* late;
    },
  };
}
