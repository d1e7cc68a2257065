import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/index.ts';
import { openWork, type Work } from '../../src/work/index.ts';
import { HOME } from './layout.ts';
import { makeRepository, openWorkshop } from './workshop.ts';

/** A second program that compacts as the layout says: a new version of the checkpoint, no messages. */
function compactElsewhere(
  folder: string,
  id: string,
  { lines, at }: { lines: string[]; at: string },
): string {
  const file = path.join(folder, HOME, 'sessions', `checkpoint_${id}.json`);
  const chat = path.join(folder, HOME, 'sessions', `chat_${id}.json`);
  const { known: _, ...before } = JSON.parse(readFileSync(file, 'utf8'));
  const decisions = [...before.summary.decisions, ...lines];
  const summary = { ...before.summary, decisions };
  const next = { ...before, version: before.version + 1, updatedAt: at, summary };
  writeFileSync(file, JSON.stringify(next));
  writeFileSync(chat, JSON.stringify({ ...JSON.parse(readFileSync(chat, 'utf8')), messages: [] }));
  return file;
}

const LATER = '2099-01-01T00:00:00.000Z';

async function talk(work: Work, id: string, turns: number): Promise<void> {
  for (let n = 1; n <= turns; n++) {
    await work.addMessage(id, 'user', `Step ${n}. ${'Please do this one now. '.repeat(20)}`);
    await work.addMessage(
      id,
      'assistant',
      `Decision: step ${n} is by plan ${n}.\n${'It is fine. '.repeat(40)}`,
    );
  }
}

describe('a checkpoint that another program wrote into the layout', () => {
  it('is taken back as a compaction of the messages that left the chat, and written out as it came', async () => {
    await using shop = await openWorkshop();
    const { work, repository, store } = shop;
    const id = await work.createSession('pm-feature', 'auth');
    await talk(work, id, 4);
    await work.exportLayout();
    const file = compactElsewhere(repository.path, id, { lines: ['OAuth only, no passwords'], at: LATER });
    const theirs = readFileSync(file, 'utf8');
    for (let times = 0; times < 2; times++) {
      const { sessions, damaged } = await work.importLayout();
      expect([damaged, sessions[0]!.compactions, sessions[0]!.added]).toEqual([[], 1 - times, 1 - times]);
    }
    expect(await work.checkpoint(id)).toMatchObject({
      version: 1,
      summary: { decisions: ['OAuth only, no passwords'] },
    });
    const { systemPrompt } = await work.buildRequest(id, 'Go on.');
    expect(systemPrompt).toContain('OAuth only, no passwords');
    expect(systemPrompt).not.toContain('Step 1.');
    expect((await store.session(id))!.totals.messages).toBe(8);
    const { keptAside } = await work.exportLayout();
    expect(keptAside).toEqual([]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(theirs));
  });

  it.each([0, 1])(
    'is taken back into a session in which nothing was said before it, and %i turns after it',
    async (turns) => {
      await using shop = await openWorkshop();
      const { work, repository } = shop;
      const id = await work.createSession('pm-feature', 'auth');
      await work.exportLayout();
      const file = compactElsewhere(repository.path, id, {
        lines: ['OAuth only, no passwords'],
        at: '2001-01-01T00:00:00.000Z',
      });
      await talk(work, id, turns);
      const { sessions } = await work.importLayout();
      expect([sessions[0]!.compactions, (await work.importLayout()).sessions[0]!.added]).toEqual([1, 0]);
      expect((await work.checkpoint(id)).summary.decisions).toEqual(['OAuth only, no passwords']);
      const { systemPrompt } = await work.buildRequest(id, 'Go on.');
      expect(systemPrompt).toContain('OAuth only, no passwords');
      expect(systemPrompt.includes('Step 1.')).toBe(turns > 0);
      expect((await work.exportLayout()).keptAside).toEqual([]);
      expect(readFileSync(file, 'utf8')).toContain('OAuth only, no passwords');
    },
  );

  it('keeps the facts of the summaries that it takes the place of, and leaves newer messages alone', async () => {
    await using shop = await openWorkshop();
    const { work, repository } = shop;
    const id = await work.createSession('pm-feature', 'auth');
    await talk(work, id, 4);
    await work.compact(id);
    const known = async () => {
      const { systemPrompt } = await work.buildRequest(id, 'Go on.');
      return systemPrompt.match(/## Goal:[\s\S]*?(?=\n#)/)?.[0];
    };
    const before = await known();
    expect(before).toBeDefined();
    await work.exportLayout();
    compactElsewhere(repository.path, id, { lines: ['OAuth only'], at: new Date().toISOString() });
    const later = await openWork(shop.store, { folder: repository.path, now: () => Date.parse(LATER) });
    await later.addMessage(id, 'user', 'Said here after the other program compacted.');
    await later.importLayout();
    expect(await known()).toBe(before);
    const { systemPrompt } = await work.buildRequest(id, 'Go on.');
    expect(systemPrompt).toContain('Said here after the other program compacted.');
    expect((await work.checkpoint(id)).version).toBe(2);
    await later[Symbol.asyncDispose]();
  });

  it('is kept aside by an export without an import, whatever it holds, and never lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (lines, again) => {
          await using shop = await openWorkshop();
          const { work, repository } = shop;
          const id = await work.createSession('pm-feature', 'auth');
          await talk(work, id, 3);
          await work.exportLayout();
          const file = compactElsewhere(repository.path, id, { lines, at: LATER });
          const theirs = readFileSync(file, 'utf8');
          if (again) await work.compact(id);
          const { keptAside } = await work.exportLayout();
          const aside = keptAside.find((one) => one.file === file);
          expect(aside?.why).toContain('not in the store');
          expect(readFileSync(aside!.aside, 'utf8')).toBe(theirs);
          expect((await work.exportLayout()).keptAside).toEqual([]);
          expect(existsSync(aside!.aside)).toBe(true);
        },
      ),
      { numRuns: 12 },
    );
  }, 60_000);

  it.each([
    {
      what: 'a newer version that says less',
      change: { version: 2, summary: { completedItems: [], pendingItems: [], decisions: [], blockers: [] } },
      why: 'its version 2 is newer than version 1 in the store; import it first',
    },
    {
      what: 'a loop that went on there',
      change: {
        ralphLoop: { currentIteration: 7, passedChecks: [], failedChecks: ['test'], lastError: 'here' },
      },
      why: 'its loop is at iteration 7, which is not in the store; import it first',
    },
  ])('is kept aside also without a line: $what', async ({ change, why }) => {
    await using shop = await openWorkshop();
    const { work, repository } = shop;
    const id = await work.createSession('pm-feature', 'auth');
    await talk(work, id, 6);
    await work.compact(id);
    await work.exportLayout();
    const file = path.join(repository.path, HOME, 'sessions', `checkpoint_${id}.json`);
    const theirs = JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change });
    writeFileSync(file, theirs);
    const { keptAside } = await work.exportLayout();
    expect(keptAside).toMatchObject([{ file, why }]);
    expect(readFileSync(keptAside[0]!.aside, 'utf8')).toBe(theirs);
    expect((await work.exportLayout()).keptAside).toEqual([]);
  });
});

describe('an older chat.json', () => {
  const entries = [{ role: 'user', content: 'Hello.', timestamp: '2025-12-30T11:21:53.000Z' }];
  const write = (repository: ReturnType<typeof makeRepository>, feature: string, value: unknown) =>
    repository.write(`.dagent-worktrees/${feature}/.dagent/chat.json`, JSON.stringify(value));

  it('that two features hold alike is a session of each, and grows there', async () => {
    for (const content of [{ entries }, { entries: [] }]) {
      using repository = makeRepository({ git: false });
      for (const feature of ['a', 'b']) write(repository, feature, content);
      await using store = createMemoryStore();
      await using work = await openWork(store, { folder: repository.path });
      expect((await work.importLayout()).damaged).toEqual([]);
      const [a, b] = await Promise.all(['a', 'b'].map((feature) => work.getActiveSession(feature)));
      expect(a).toBeDefined();
      expect(b).toBeDefined();
      expect(a).not.toBe(b);
      if (content.entries.length === 0) continue;
      write(repository, 'b', { entries: [...entries, { role: 'assistant', content: 'Hello, b.' }] });
      const { sessions, damaged } = await work.importLayout();
      expect([damaged, sessions.map(({ id, added }) => [id, added])]).toEqual([
        [],
        [
          [a, 0],
          [b, 1],
        ],
      ]);
    }
  });

  it('whose list of messages is no list is named as damaged', async () => {
    for (const content of [{ entries: 'a string' }, { entries: null }, { messages: 'should be a list' }]) {
      using repository = makeRepository({ git: false });
      write(repository, 'a', content);
      await using store = createMemoryStore();
      await using work = await openWork(store, { folder: repository.path });
      expect((await work.importLayout()).damaged).toMatchObject([{ what: 'misshapen' }]);
    }
  });
});

it('a folder that is not there is refused by its name, and the chat of a feature is that of its project manager', async () => {
  await using shop = await openWorkshop();
  const { work, repository } = shop;
  const missing = path.join(repository.path, 'missing');
  await expect(work.importLayout(missing)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(missing),
  });
  const pm = await work.createSession('pm-feature', 'auth');
  await work.createSession('merge', 'auth');
  await work.exportLayout();
  const feature = JSON.parse(readFileSync(path.join(repository.path, HOME, 'feature.json'), 'utf8'));
  expect(feature.sessionId).toBe(pm);
});
