import { describe, expect, it } from 'vitest';
import { createSession, readFrontier } from '../../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../../src/store/index.ts';
import { assistant, compaction, toolResult, user } from '../../../../src/testing/index.ts';
import { readArmy } from '../../../../src/transcripts/formats/army/read.ts';
import { writeArmy } from '../../../../src/transcripts/formats/army/write.ts';
import { transcriptContract } from '../../contract.ts';
import { exportFiles, hashes, importText, sessionsOf } from '../../transfer.ts';

const full = (count: number) =>
  JSON.stringify(
    {
      messages: Array.from({ length: count }, (_, n) => ({
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: `message ${n}`,
      })),
      context: { cwd: '/home/sally' },
    },
    null,
    2,
  );

const beside = (count: number) => ({
  'working.json': JSON.stringify({
    summary: `After ${count} messages.`,
    pinned_facts: ['Project: shop'],
    decisions: ['Use tokens'],
    open_tasks: ['Test it'],
    files_touched: ['/home/sally/shop/cart.ts'],
    recent_messages: [],
    token_budget: { used: 1500, limit: 100_000 },
  }),
  'state.json': JSON.stringify({ created_at: '2026-02-01T08:00:00+00:00', tokens_used: count * 10 }),
  'metadata.json': JSON.stringify({
    session_id: 'session-abc12345',
    created_at: '2026-02-01T08:00:00+00:00',
    last_updated: '2026-02-01T09:00:00+00:00',
    message_count: count,
    token_count: count * 10,
  }),
});

transcriptContract({
  format: 'army',
  reader: readArmy,
  lines: false,
  samples: { 'full.json alone': full(3) },
});

const read = (store: Store, count: number) =>
  importText(store, readArmy, full(count), { format: 'army', beside: beside(count) });

describe('a session of AIarmy', () => {
  it('is its whole transcript, and its working set stands for all but the newest twenty', async () => {
    const store = createMemoryStore();
    const [report] = await read(store, 30);
    expect(report).toMatchObject({ id: 'session-abc12345', messages: 30, compactions: 1, damage: 0 });
    const [first, ...rest] = await readFrontier(store, (await sessionsOf(store))[0]!);
    expect(first?.body).toMatchObject({
      summary: { overview: 'After 30 messages.', facts: [{ text: 'Project: shop' }] },
    });
    expect(rest).toHaveLength(20);
  });

  it('is the same log after it was written and read again', async () => {
    const store = createMemoryStore();
    await read(store, 30);
    const files = await exportFiles(store, 'session-abc12345', writeArmy);
    const folder = 'sessions/session-abc12345/';
    expect([...files.keys()]).toEqual([
      ...['full', 'working', 'state', 'metadata'].map((name) => `${folder}${name}.json`),
      'current_session',
    ]);
    expect(JSON.parse(files.get(`${folder}full.json`)!)).toEqual(JSON.parse(full(30)));
    expect(files.get(`${folder}state.json`)).toBe(beside(30)['state.json']);
    const again = createMemoryStore();
    const others = Object.fromEntries([...files].map(([name, text]) => [name.replace(folder, ''), text]));
    await importText(again, readArmy, others['full.json']!, { format: 'army', beside: others });
    expect(await hashes(again)).toEqual(await hashes(store));
  });

  it('grows', async () => {
    const store = createMemoryStore();
    await read(store, 24);
    const [report] = await read(store, 30);
    expect(report).toMatchObject({ branches: 0, damage: 0 });
    const [session] = await sessionsOf(store);
    expect(session?.totals.messages).toBe(30);
    expect(await readFrontier(store, session!)).toHaveLength(21);
    expect((await read(store, 30))[0]).toMatchObject({ added: 0 });
  });

  it('is written for a session of ours', async () => {
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 'ours' });
    await session.append([
      user('One?'),
      assistant('Two.'),
      toolResult('grep', 'x'),
      compaction({ covers: { from: 1, to: 2 } }),
    ]);
    const left: string[] = [];
    const files = await exportFiles(store, 'ours', writeArmy, {
      onLeftOut: ({ body }) => left.push(body.kind),
    });
    expect(JSON.parse(files.get('sessions/ours/full.json')!).messages).toEqual([
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'Two.' },
    ]);
    expect(JSON.parse(files.get('sessions/ours/working.json')!)).toMatchObject({
      summary: 'What came before.',
      recent_messages: [{ role: 'user', content: 'One?' }, { content: 'Two.' }],
      token_budget: { limit: 100_000 },
    });
    expect(files.get('current_session')).toBe('ours');
    expect(left).toEqual(['message']);
  });
});
