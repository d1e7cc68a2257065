import { describe, expect, it } from 'vitest';
import { compactSession, listCompactions, PRESETS } from '../../src/compaction/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import {
  collapseCompactions,
  createSession,
  excludeEntries,
  expandCompactions,
  includeEntries,
  pinEntries,
  readFrontier,
  type Session,
  unpinEntries,
} from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { contextOf } from '../support/context-of.ts';
import { scripted } from './scripted-summariser.ts';

const settings = { ...PRESETS.window, keep: { messages: 2 } };
const SECRET = 'KEY-9917-rosebud';
const words = 'and it goes on for quite a while so that there is something to shorten here. '.repeat(3);

async function begin(): Promise<{ session: Session; secret: { entry: string } }> {
  const session = await createSession(createMemoryStore(), { id: 's' });
  const [entry] = await session.append([
    user(`The deploy key is ${SECRET} for db7.example.com`),
    assistant('ok'),
  ]);
  await talk(session);
  return { session, secret: { entry: entry!.id } };
}

async function talk(session: Session, turns = 5): Promise<void> {
  for (let n = 0; n < turns; n++)
    await session.append([user(`Ask ${n} ${words}`), assistant(`Say ${n} ${words}`)]);
}

async function sent(session: Session): Promise<string> {
  const info = await session.refresh();
  const { instructions, messages } = await contextOf(session.store, info, { budget: { window: 500_000 } });
  return instructions + JSON.stringify(messages);
}

const shapeOf = async (session: Session) =>
  (await readFrontier(session.store, await session.refresh())).map(({ seq, body }) =>
    body.kind === 'compaction' ? `${body.covers.from}-${body.covers.to}` : seq,
  );

/** Level upon level: four of the first make one of the second, and so on. */
async function grow(session: Session, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await talk(session);
    await compactSession(session, { settings });
  }
}

describe('an entry that is excluded', () => {
  it.each([1, 2, 4, 5, 17])('after %i compactions is in nothing that is sent', async (times) => {
    const { session, secret } = await begin();
    await compactSession(session, { settings });
    expect(await sent(session)).toContain(SECRET);
    await grow(session, times - 1);
    await excludeEntries(session, secret);
    expect(await sent(session)).not.toContain(SECRET);
    await grow(session, 8);
    expect(await sent(session)).not.toContain(SECRET);
    // What was torn apart is merged again, so that it does not stay in pieces for ever.
    expect((await shapeOf(session)).length).toBeLessThan(14);
  });

  it('leaves the rest of the summarised messages in sight, to be summarised anew', async () => {
    const { session, secret } = await begin();
    await grow(session, 5);
    const tokens = async () =>
      (await readFrontier(session.store, session.info)).reduce((sum, e) => sum + e.tokens, 0);
    const before = await tokens();
    await excludeEntries(session, secret);
    const opened = await tokens();
    expect(opened).toBeGreaterThan(before * 2);
    expect(await sent(session)).toContain('Ask 0');
    await compactSession(session, { settings });
    expect(await tokens()).toBeLessThan(opened / 2);
    expect(await sent(session)).not.toContain(SECRET);
  });

  it('comes back when it is included again', async () => {
    const { session, secret } = await begin();
    await excludeEntries(session, secret);
    await compactSession(session, { settings });
    await grow(session, 4);
    expect(await sent(session)).not.toContain(SECRET);
    await includeEntries(session, secret);
    expect(await sent(session)).toContain(SECRET);
  });

  it('as a whole range hides the summary of it, and shows it again', async () => {
    const { session } = await begin();
    await compactSession(session, { settings });
    const before = await shapeOf(session);
    await excludeEntries(session, { from: 1, to: 12 });
    expect(await sent(session)).not.toContain(SECRET);
    await grow(session, 5);
    expect(await sent(session)).not.toContain(SECRET);
    await includeEntries(session, { from: 1, to: 12 });
    expect((await shapeOf(session))[0]).toEqual(before[0]);
    expect(await sent(session)).toContain(SECRET);
  });
});

describe('an entry that was pinned', () => {
  it.each([1, 2, 4, 5, 17])('through %i compactions is in sight when it no longer is', async (times) => {
    const { session, secret } = await begin();
    await pinEntries(session, secret);
    await compactSession(session, { settings });
    await grow(session, times - 1);
    expect(await sent(session)).toContain(SECRET);
    await unpinEntries(session, secret);
    expect(await sent(session)).toContain(SECRET);
    await compactSession(session, { settings });
    expect(await sent(session)).toContain(SECRET);
  });

  it('after its summary was made leaves that summary alone', async () => {
    const { session, secret } = await begin();
    await compactSession(session, { settings });
    await grow(session, 4);
    const before = await shapeOf(session);
    await pinEntries(session, secret);
    await unpinEntries(session, secret);
    expect(await shapeOf(session)).toEqual(before);
  });
});

describe('a mark that is set while the summary is written', () => {
  it.each([
    ['excludes', excludeEntries],
    ['pins', pinEntries],
  ])('and %s an entry of the range: nothing is written', async (_, set) => {
    const { session, secret } = await begin();
    const summariser = scripted(async () => {
      await set(session, secret);
      return { summary: emptySummary(`The key is ${SECRET}.`) };
    });
    const made = compactSession(session, { settings, summariser });
    await expect(made).rejects.toMatchObject({ code: 'compaction-stale' });
    expect(await listCompactions(session.store, session.info)).toEqual([]);
    await compactSession(session, { settings });
    expect((await sent(session)).includes(SECRET)).toBe(set === pinEntries);
  });

  it('and includes one that was to be left out: nothing is written', async () => {
    const { session, secret } = await begin();
    await excludeEntries(session, secret);
    const summariser = scripted(async () => {
      await includeEntries(session, secret);
      return {};
    });
    await expect(compactSession(session, { settings, summariser })).rejects.toMatchObject({
      code: 'compaction-stale',
    });
  });

  it('on what comes after the range, it is written', async () => {
    const { session } = await begin();
    const summariser = scripted(async () => {
      await pinEntries(session, { from: 12, to: 12 });
      return {};
    });
    await expect(compactSession(session, { settings, summariser })).resolves.toMatchObject({
      by: { kind: 'model' },
    });
  });
});

describe('undoing a compaction', () => {
  it('brings back the earlier view, also when tiers were merged with it', async () => {
    const { session } = await begin();
    for (let n = 1; n <= 17; n++) {
      const before = [await sent(session), await shapeOf(session)];
      const { compactionId } = await compactSession(session, { settings });
      const after = await shapeOf(session);
      const marks = await expandCompactions(session, { entry: compactionId });
      expect([await sent(session), await shapeOf(session)], `compaction ${n}`).toEqual(before);
      if (n % 4 === 0) expect(marks.length).toBeGreaterThan(1);
      const targets = marks.flatMap(({ body }) => (body.kind === 'mark' ? [body.target] : []));
      await collapseCompactions(session, ...targets);
      expect(await shapeOf(session)).toEqual(after);
      await talk(session);
    }
  });

  it('opens one that was made while the one around it was open', async () => {
    const { session } = await begin();
    await compactSession(session, { settings });
    const [outer] = await listCompactions(session.store, session.info);
    await expandCompactions(session, { entry: outer!.id });
    const inner = await session.append([
      {
        kind: 'compaction',
        level: 1,
        covers: { from: 3, to: 6 },
        children: [],
        summary: emptySummary('Inside.'),
        tokensBefore: 9,
        tokensAfter: 3,
        by: { kind: 'person' },
        retention: 1,
      },
    ]);
    const opened = await shapeOf(session);
    await collapseCompactions(session, { entry: outer!.id });
    expect((await shapeOf(session))[0]).toBe('1-10');
    await expandCompactions(session, { entry: inner[0]!.id });
    expect(await shapeOf(session)).toEqual(opened.flatMap((one) => (one === '3-6' ? [3, 4, 5, 6] : [one])));
  });
});
