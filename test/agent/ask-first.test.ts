import { describe, expect, it } from 'vitest';
import { openAgent, runTurn, stopBackground, type TurnEvent } from '../../src/agent/index.ts';
import {
  approveDraft,
  discardDraft,
  PRESETS,
  readDraft,
  type Summariser,
} from '../../src/compaction/index.ts';
import { emptySummary, settingEntries } from '../../src/record/index.ts';
import { createSession, excludeEntries, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import { scriptedModel } from './scripted-model.ts';

const words = 'a good many words about the state of things and what to do next with them. '.repeat(8);
const settings = { ...PRESETS.balanced, trigger: { tokens: 2_000 }, keep: { messages: 2 } };
const WINDOW = 6_000;

/** A conversation whose every turn reports what automatic compaction did. */
async function start(summariser: Summariser | 'digest', { says = true, standing = false } = {}) {
  const session = await createSession(createMemoryStore(), { id: 's' });
  if (says) await session.append(settingEntries({ askFirst: true }, { by: 'user' }));
  const model = scriptedModel(() => ({ text: `a ${words}`, usage: { input: 0, output: 0 } }), {
    window: WINDOW,
    output: 500,
  });
  const compaction = { settings, summariser, askFirst: standing };
  const turn = async () => {
    const events: TurnEvent[] = [];
    const onEvent = (event: TurnEvent) => events.push(event);
    await runTurn(session, `q ${words}`, { model, compaction, onEvent });
    await new Promise(setImmediate);
    return events.flatMap((event) => (event.type === 'compaction-end' ? [event.outcome.did] : []));
  };
  const turns = async (count: number) => {
    const did: string[] = [];
    for (let n = 0; n < count; n++) did.push(...(await turn()));
    return did;
  };
  return { session, model, turns, compaction };
}

const rootsOf = async (session: Session) => (await session.refresh()).state.roots.length;

describe('a session in which a person is asked first', () => {
  it('gets a draft at the trigger, says so once, and is not compacted however long it goes on', async () => {
    const { session, turns, model } = await start('digest');
    expect(await turns(16)).toEqual(['draft']);
    expect(await rootsOf(session)).toBe(0);
    expect(await readDraft(session)).toMatchObject({ isStale: false });
    // Long past its window every question is answered, as where automatic compaction is off.
    const last = model.requests.at(-1)!.prompt;
    expect(JSON.stringify(last.at(-1))).toContain('q a good many words');
    expect(JSON.stringify(last).length / 4).toBeLessThan(WINDOW);
  });

  it('is compacted by the approved draft, and gets its next draft when it is full again', async () => {
    const { session, turns } = await start('digest');
    await turns(10);
    await approveDraft(session);
    expect(await rootsOf(session)).toBe(1);
    expect(await turns(12)).toEqual(['draft']);
    expect(await rootsOf(session)).toBe(1);
  });

  it('gets no other draft after one was discarded, until as much was said as a compaction frees', async () => {
    const { session, turns } = await start('digest');
    await turns(10);
    await discardDraft(session);
    expect(await turns(1)).toEqual([]);
    expect(await turns(12)).toEqual(['draft']);
  });

  it('gets a new draft in the place of one that is stale', async () => {
    const { session, turns } = await start('digest');
    await turns(10);
    const old = await readDraft(session);
    await excludeEntries(session, { from: 2, to: 3 });
    expect(await turns(3)).toEqual(['draft']);
    expect((await readDraft(session))!.id).not.toBe(old!.id);
  });

  it('lets no turn wait for a model that writes the draft; the next one tells of it', async () => {
    const writing = Promise.withResolvers<void>();
    const summariser = scripted(async () => {
      await writing.promise;
      return { summary: emptySummary('What was said so far.') };
    });
    const { session, turns } = await start(summariser);
    expect(await turns(10)).toEqual([]);
    expect(summariser.requests).toHaveLength(1);
    writing.resolve();
    await expect.poll(() => readDraft(session)).toBeDefined();
    expect(await turns(2)).toEqual(['draft']);
    expect(summariser.requests).toHaveLength(1);
  });

  it('gives up the draft that is being written when it is closed', async () => {
    const summariser = scripted((_, signal) => {
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => reject(signal.reason));
      return promise;
    });
    const { session, turns } = await start(summariser);
    await turns(10);
    await stopBackground(session);
    expect(await readDraft(session)).toBeUndefined();
    await session.close();
  });

  it('foretells requests that are not compacted', async () => {
    const { session, turns, model, compaction } = await start('digest');
    await turns(10);
    await using agent = await openAgent(session, { model, compaction });
    expect((await agent.context()).compacts).toBe(false);
    const { compactionId, compacts } = await agent.ready();
    expect([compactionId, compacts]).toEqual([undefined, false]);
  });

  it('is one that says so, or one that says nothing where the process asks first', async () => {
    const asked = await start('digest', { says: false, standing: true });
    expect(await asked.turns(10)).toEqual(['draft']);
    const session = await start('digest', { says: false, standing: true });
    await session.session.append(settingEntries({ askFirst: false }, { by: 'user' }));
    expect(await session.turns(10)).toContain('compact');
    const neither = await start('digest', { says: false });
    expect(await neither.turns(10)).toContain('compact');
  });
});
