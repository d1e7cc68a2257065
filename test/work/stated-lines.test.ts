import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { emptySummary } from '../../src/record/index.ts';
import { openSession } from '../../src/session/index.ts';
import { type CheckpointFile, EMPTY_CHECKPOINT } from '../../src/summary/index.ts';
import { countText } from '../../src/tokens/index.ts';
import type { Work, WorkEvent } from '../../src/work/index.ts';
import { renderWorkCheckpoint } from '../../src/work/request/render-checkpoint.ts';
import { scripted } from '../compaction/scripted-summariser.ts';
import { anyText } from '../record/arbitraries.ts';
import { openWorkshop } from './workshop.ts';

// Lines that an agent labels as a decision, a to-do, a blocker or as done are in the checkpoint and in the next request,
// word for word, whoever wrote the summaries and however small the budget is, while there is room for them.

/** A message that is recalled would stand in for a line that the checkpoint lost. */
const recall = false;

const LABELS = ['Decision', 'Done', 'Todo', 'Blocker'] as const;

/** Different things for each label, so that nothing done closes anything open. */
const THINGS = { Decision: 'store', Done: 'form', Todo: 'letter', Blocker: 'gate' } as const;

function statedIn(turn: number, words = ''): string[] {
  return LABELS.map((label) => `${label}: the ${THINGS[label]}${turn} is number ${turn}${words}.`);
}

const withoutLabel = (line: string) => line.slice(line.indexOf(': ') + 2);

async function talk(work: Work, id: string, turns: readonly (readonly string[])[]): Promise<void> {
  for (const [turn, lines] of turns.entries()) {
    await work.addMessage(id, 'user', `Go on with part ${turn}.`);
    await work.addMessage(id, 'assistant', [`I looked at part ${turn}.`, ...lines].join('\n'));
  }
}

function counts({ summary }: CheckpointFile): number[] {
  return [summary.decisions, summary.completedItems, summary.pendingItems, summary.blockers].map(
    (list) => list.length,
  );
}

describe('dense answers, one line of each kind in every turn', () => {
  it.each([4, 8, 16])('lose none of the lines of %i turns when they are compacted', async (turns) => {
    await using shop = await openWorkshop({ recall });
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    await talk(
      shop.work,
      id,
      Array.from({ length: turns }, (_, turn) => statedIn(turn)),
    );
    const { failures } = await shop.work.compact(id);
    expect(failures).toEqual([]);
    expect(counts(await shop.work.checkpoint(id))).toEqual(Array(4).fill(turns - 1));
  });

  it('lose none in a loop that is compacted every five iterations', async () => {
    await using shop = await openWorkshop({ recall });
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    await shop.work.runLoop(id, {
      prompt: (iteration) => `Try ${iteration}.`,
      ask: async (_, { iteration }) => statedIn(iteration).join('\n'),
      check: async () => ({ passed: [], failed: ['test'] }),
      maxIterations: 30,
      checkpointEvery: 5,
    });
    const { systemPrompt } = await shop.work.buildRequest(id, 'Go on.');
    const all = Array.from({ length: 30 }, (_, n) => statedIn(n + 1)).flat();
    expect(all.filter((line) => !systemPrompt.includes(withoutLabel(line)))).toEqual([]);
    expect((await shop.work.checkpoint(id)).version).toBeGreaterThan(3);
  });

  it('lose none when the session is compacted like any other', async () => {
    await using shop = await openWorkshop({ recall });
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    await talk(
      shop.work,
      id,
      Array.from({ length: 16 }, (_, turn) => statedIn(turn)),
    );
    {
      await using session = await openSession(shop.store, id);
      await compactSession(session, { settings: { ...PRESETS.balanced, keep: { messages: 2 } } });
    }
    expect(counts(await shop.work.checkpoint(id))).toEqual(Array(4).fill(15));
  });

  it('are not compacted while the request is far under its budget', async () => {
    await using shop = await openWorkshop({ recall });
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    await talk(
      shop.work,
      id,
      Array.from({ length: 30 }, (_, turn) => statedIn(turn)),
    );
    expect((await shop.work.checkpoint(id)).version).toBe(0);
  });
});

it('the third of a thousand lines is in the request', async () => {
  await using shop = await openWorkshop({ recall, budget: 30_000 });
  const { work } = shop;
  const id = await work.createSession('dev-task', 'auth', 'login');
  const turns = Array.from({ length: 250 }, (_, turn) => statedIn(turn));
  await talk(work, id, turns);
  await work.compact(id);
  const { systemPrompt, leftOut } = await work.buildRequest(id, 'Go on.');
  expect(leftOut).toBeUndefined();
  expect(turns.flat().filter((line) => !systemPrompt.includes(withoutLabel(line)))).toEqual([]);
}, 60_000);

it('lines that the budget has no room for are counted in an event and in the request, with where they are', async () => {
  const events: WorkEvent[] = [];
  await using shop = await openWorkshop({ recall, budget: 3000, onEvent: (event) => events.push(event) });
  const { work } = shop;
  const id = await work.createSession('dev-task', 'auth', 'login');
  const turns = Array.from({ length: 80 }, (_, turn) => statedIn(turn));
  await talk(work, id, turns);
  const { systemPrompt, totalTokens, leftOut } = await work.buildRequest(id, 'Go on.');
  expect(totalTokens).toBeLessThanOrEqual(3000);
  expect(totalTokens).toBeGreaterThan(2400);
  expect(leftOut?.completed).toBeGreaterThan(0);
  expect(systemPrompt).toContain(
    `- (${leftOut?.completed} more, not shown: the checkpoint of session ${id} has them)`,
  );
  const last = events.findLast(({ type }) => type === 'lines-left-out');
  expect(last).toEqual({ type: 'lines-left-out', session: id, leftOut });
  const told = events.filter(({ type }) => type === 'lines-left-out').length;
  await work.buildRequest(id, 'Go on.');
  expect(events.filter(({ type }) => type === 'lines-left-out')).toHaveLength(told);
  const { decisions } = (await work.checkpoint(id)).summary;
  expect(decisions).toHaveLength(new Set(decisions).size);
  expect(decisions.length).toBeGreaterThan(60);
});

it('a checkpoint of which nothing fits says how many lines it has, and where they are', () => {
  const decisions = Array.from({ length: 9 }, (_, n) => ({
    text: `Plan ${n} is used. `.repeat(20),
    from: [],
    stated: true as const,
  }));
  const shown = renderWorkCheckpoint(
    { ...EMPTY_CHECKPOINT, decisions },
    { maxTokens: 60, session: 'dev_login' },
  );
  expect(shown).toEqual({
    text: '# Checkpoint (Work Progress)\n\n(9 lines not shown: the checkpoint of session dev_login has them)',
    leftOut: { decisions: 9 },
  });
});

describe('a model that writes the summaries', () => {
  it.each([
    { what: 'no words', overview: '' },
    { what: 'a refusal', overview: "I'm sorry, but I can't help with that." },
    { what: 'an offer', overview: 'Sure! How can I assist you today?' },
  ])('and writes $what, is not used although a line was stated', async ({ overview }) => {
    const summariser = scripted(() => ({ summary: emptySummary(overview) }));
    await using shop = await openWorkshop({ recall, summariser });
    const { work } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    await talk(
      work,
      id,
      Array.from({ length: 12 }, (_, turn) => [
        `Module m${turn} parses dates.`,
        ...(turn === 3 ? ['Done: step three.'] : []),
      ]),
    );
    const { by, failures } = await work.compact(id);
    expect([by.kind, failures.length]).toEqual(['digest', 2]);
    expect((await work.checkpoint(id)).summary.completedItems).toContain('step three.');
  });

  it('has its overview in the next request', async () => {
    const overview = 'Parts of the login were looked at one after the other.';
    await using shop = await openWorkshop({
      recall,
      summariser: scripted(() => ({ summary: emptySummary(overview) })),
    });
    const id = await shop.work.createSession('dev-task', 'auth', 'login');
    await talk(
      shop.work,
      id,
      Array.from({ length: 6 }, (_, turn) => statedIn(turn)),
    );
    await shop.work.compact(id);
    expect((await shop.work.buildRequest(id, 'Go on.')).systemPrompt).toContain(
      `## Overview:\n\n- ${overview}`,
    );
  });
});

function ifNothingToCompact(error: unknown): void {
  expect(error).toMatchObject({ code: 'nothing-to-compact' });
}

const line = fc
  .tuple(fc.constantFrom(...LABELS), anyText, fc.nat(6))
  .map(([label, text, times]) => ({ label, words: `${text} `.repeat(times).replace(/\s+/g, ' ').trim() }));
const turns = fc.array(fc.array(line, { maxLength: 4 }), { minLength: 3, maxLength: 16, size: '+1' });

it('stated lines are in the next request, for every budget with room for them', async () => {
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.integer({ min: 2500, max: 12_000 }),
      fc.constantFrom('digest', 'model'),
      // Beside the compactions that the budget asks for.
      fc.uniqueArray(fc.nat(16), { maxLength: 3 }),
      async (given, budget, by, compacted) => {
        const model = scripted(() => ({ summary: emptySummary('Parts were looked at.') }));
        await using shop = await openWorkshop({
          recall,
          budget,
          ...(by === 'model' && { summariser: model }),
        });
        const { work } = shop;
        const id = await work.createSession('dev-task', 'auth', 'login');
        const beside = (await work.buildRequest(id, 'Go on.')).totalTokens;
        let number = 0;
        const said = given.map((lines) =>
          lines.map(({ label, words }) =>
            `${label}: ${THINGS[label]}${++number} ${words}`.toWellFormed().trim(),
          ),
        );
        for (const [turn, lines] of said.entries()) {
          await talk(work, id, [lines]);
          if (compacted.includes(turn)) await work.compact(id).catch(ifNothingToCompact);
        }
        const { systemPrompt, totalTokens } = await work.buildRequest(id, 'Go on.');
        expect(totalTokens).toBeLessThanOrEqual(budget);
        const texts = said.flat().map(withoutLabel);
        const needed = texts.reduce((sum, text) => sum + countText(`- ${text}\n`), 0);
        if (needed > (budget - beside) * 0.6) return;
        expect(texts.filter((text) => !systemPrompt.includes(text))).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);
