import { describe, expect, it } from 'vitest';
import { gatherBriefing } from '../../../src/operations/transcript/gather-briefing.ts';
import { createSession, readFrontier } from '../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../src/store/index.ts';
import { assistant, compaction, user } from '../../../src/testing/index.ts';
import {
  exportSession,
  type FormatName,
  formatNamed,
  importSource,
  renderBriefing,
  textSource,
} from '../../../src/transcripts/index.ts';

async function cart(store: Store): Promise<string> {
  await using session = await createSession(store, { id: 'cart', title: 'Mend the cart' });
  await session.append([
    user('The cart loses items. Find out why and mend it.'),
    assistant('We decided to keep prices as integers of cents in src/price.ts.'),
    user('And now the totals.'),
    assistant('TODO: round the totals in src/total.ts.'),
  ]);
  const { head } = session.info;
  const body = compaction({ covers: { from: 1, to: head - 2 }, summary: 'The cart was looked at.' });
  const [, decided] = await store.read('cart', { only: 'messages' });
  const line = (text: string) => ({ text, from: [decided!.id] });
  await session.append([
    {
      ...body,
      summary: {
        ...body.summary,
        decisions: [line('Prices are integers of cents')],
        pending: [line('Round the totals'), { text: 'Ask Anna', from: [] }],
        completed: [line('The loss was found')],
        blockers: [line('No access to the till')],
        files: [{ path: 'src/price.ts', operations: ['edit'] }],
      },
    },
    { kind: 'todo', id: 't1', text: 'Write a test', status: 'pending' },
    { kind: 'todo', id: 't2', text: 'Over and done', status: 'completed' },
    user('Go on with the totals, please.'),
  ]);
  return session.id;
}

describe('the briefing of a session that is handed over', () => {
  it('has the goal, open tasks, decisions, finished work and blockers, the files, and where the originals are', async () => {
    const store = createMemoryStore();
    const info = (await store.session(await cart(store)))!;
    const briefing = await gatherBriefing(store, info);
    expect(briefing.goal).toMatchObject({
      title: 'Mend the cart',
      first: 'The cart loses items. Find out why and mend it.',
      latest: { text: 'Go on with the totals, please.', entry: info.head },
    });
    const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);
    expect(texts(briefing.open)).toEqual(expect.arrayContaining(['Ask Anna', 'Write a test']));
    expect(texts(briefing.open)).not.toContain('Over and done');
    const [decision] = briefing.decisions;
    expect(decision!.text).toBe('Prices are integers of cents');
    const [entry] = await store.read('cart', { after: decision!.entry! - 1, upTo: decision!.entry! });
    expect(JSON.stringify(entry!.body)).toContain('integers of cents');
    const text = renderBriefing(briefing);
    for (const said of [
      'Mend the cart',
      'Asked last: Go on with the totals',
      'Ask Anna',
      'No access to the till',
      'src/price.ts (edit)',
    ])
      expect(text).toContain(said);
    expect(text).toContain('`throughline show cart`');
    expect(text).toContain(`Prices are integers of cents [${decision!.entry}]`);
  });

  it.each(['pi', 'claude-code', 'codex'] as const)(
    'stands at the end of the file for %s, in the name of the program and not of a person',
    async (format: FormatName) => {
      const store = createMemoryStore();
      const info = (await store.session(await cart(store)))!;
      const briefing = renderBriefing(await gatherBriefing(store, info));
      const read = async (options: { briefing?: string }) => {
        let text = '';
        for await (const piece of exportSession(store, info, { format, ...options })) text += piece.text;
        const back = createMemoryStore();
        const [report] = await importSource(back, textSource(text), {
          format: formatNamed(format),
          file: 'x',
        });
        const frontier = await readFrontier(back, (await back.session(report!.id))!);
        return frontier.flatMap(({ body }) =>
          body.kind === 'message'
            ? [{ role: body.role, text: body.parts.map((part) => part.text).join() }]
            : [],
        );
      };
      const [bare, briefed] = [await read({}), await read({ briefing })];
      expect(briefed.slice(0, -1)).toEqual(bare);
      expect(briefed.at(-1)).toEqual({ role: 'system', text: briefing });
    },
  );

  it('cuts long lines, and counts older ones', () => {
    const lines = Array.from({ length: 40 }, (_, n) => ({ text: `task ${n} ${'x'.repeat(2000)}` }));
    const none = { blockers: [], decisions: [], done: [], facts: [], files: [], pointers: [] };
    const text = renderBriefing({ session: 's', goal: { title: 'T' }, open: lines, ...none });
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain('- and 28 older');
    expect(text).toContain('task 39');
    expect(text).not.toContain('## Decided');
  });
});
