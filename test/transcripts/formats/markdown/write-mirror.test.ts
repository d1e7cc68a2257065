import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { CLOSING_SUMMARY, emptySummary } from '../../../../src/record/index.ts';
import { createSession, type Session } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { assistant, compaction, mark, setting, user } from '../../../../src/testing/index.ts';
import { type Mirror, outgoing, sessionToMarkdown, writeMirror } from '../../../../src/transcripts/index.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'throughline-mirror-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What may happen to a session between two turns, and to its transcript. */
const HAPPENINGS: Record<string, (session: Session, file: string) => unknown> = {
  asks: (session) => session.append([user('What now?\n---\n**You:** é日👋')]),
  answers: (session) => session.append([assistant('This, and that.', { durationMs: 1200 })]),
  'is cut off': (session) => session.append([assistant('Half of', { status: 'interrupted' })]),
  'is left': (session) =>
    session.append([
      {
        kind: 'document',
        id: CLOSING_SUMMARY,
        title: 'Session summary',
        content: { summary: emptySummary('A topic') },
      },
    ]),
  'is shortened': (session) =>
    session.append([
      compaction({ covers: { from: 1, to: session.info.head }, summary: emptySummary('Old') }),
    ]),
  'gets a title': (session) => session.append([setting('title', 'Ports')]),
  'gets another agent': (session) => session.append([setting('agent', `Agent ${session.info.head}`)]),
  'has its beginning removed': async (session) => {
    const [first] = await session.read({ limit: 1 });
    if (first) await session.append([mark('removed', first.id)]);
  },
  'has its file touched': (_, file) => writeFileSync(file, 'Somebody was here.'),
  'has its file deleted': (_, file) => rmSync(file, { force: true }),
};

describe('the transcript of a chat', () => {
  it('is what it would be if it were made anew, whatever happened since the last time', async () => {
    let run = 0;
    const happenings = fc.array(fc.constantFrom(...Object.keys(HAPPENINGS)), { maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(happenings, async (names) => {
        const session = await createSession(createMemoryStore(), { id: `s${run++}` });
        const location = path.join(folder, 'store.db');
        let before: Mirror | undefined;
        for (const name of ['asks', ...names]) {
          await HAPPENINGS[name]!(session, before?.file ?? path.join(folder, 'other'));
          before = await writeMirror(session.store, session.info, { location, before });
          const anew = await sessionToMarkdown(outgoing(session.store, session.info));
          expect(readFileSync(before.file, 'utf8')).toBe(anew);
          expect(statSync(before.file).mode & 0o777).toBe(0o600);
        }
      }),
      { numRuns: 60 },
    );
    expect(readdirSync(path.join(folder, 'transcripts')).filter((name) => !name.endsWith('.md'))).toEqual([]);
  });

  it('clears away what a process that was killed left beside it, and nothing else', async () => {
    const session = await createSession(createMemoryStore(), { id: 'killed' });
    await session.append([user('Hello')]);
    const place = path.join(folder, 'killed', 'transcripts');
    mkdirSync(place, { recursive: true });
    const names = [
      'killed.md.0123456789ab',
      'killed.md.notes',
      'killed2.md.0123456789ab',
      'killed.md.ba9876543210',
    ];
    for (const name of names) writeFileSync(path.join(place, name), 'half of');
    for (const name of names.slice(0, 3)) utimesSync(path.join(place, name), 1, 1);
    await writeMirror(session.store, session.info, { location: path.join(folder, 'killed', 'store.db') });
    // The last one may be somebody's who is writing right now.
    expect(readdirSync(place).sort()).toEqual([
      'killed.md',
      'killed.md.ba9876543210',
      'killed.md.notes',
      'killed2.md.0123456789ab',
    ]);
  });

  it.runIf(process.platform !== 'win32')('closes a transcript that other users could open', async () => {
    const session = await createSession(createMemoryStore(), { id: 'open' });
    const location = path.join(folder, 'open', 'store.db');
    await session.append([user('Hello')]);
    const before = await writeMirror(session.store, session.info, { location });
    chmodSync(before.file, 0o644);
    const { file } = await writeMirror(session.store, session.info, { location, before });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('reads only the last turn of a long session again', async () => {
    const session = await createSession(createMemoryStore(), { id: 'long' });
    for (let index = 0; index < 50; index++)
      await session.append([user(`Q${index}`), assistant(`A${index}`)]);
    const location = path.join(folder, 'store.db');
    const first = await writeMirror(session.store, session.info, { location });
    await session.append([user('One more'), assistant('Yes.')]);
    let read = 0;
    const counting = {
      ...session.store,
      read: async (...args: Parameters<typeof session.store.read>) => {
        const entries = await session.store.read(...args);
        read += entries.length;
        return entries;
      },
    };
    const second = await writeMirror(counting, session.info, { location, before: first });
    expect(read).toBe(4);
    expect(readFileSync(second.file, 'utf8')).toBe(
      await sessionToMarkdown(outgoing(session.store, session.info)),
    );
  });
});
