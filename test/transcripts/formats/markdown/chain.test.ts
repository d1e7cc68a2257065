import { describe, expect, it } from 'vitest';
import { CLOSING_SUMMARY, emptySummary } from '../../../../src/record/index.ts';
import {
  createSession,
  forkSession,
  openSession,
  purgeSession,
  resumeSession,
  trashSession,
} from '../../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../../src/store/index.ts';
import { assistant, user } from '../../../../src/testing/index.ts';
import { readChain } from '../../../../src/transcripts/export/read-chain.ts';
import { writeChain } from '../../../../src/transcripts/formats/markdown/chain.ts';
import { NEXT_SESSION } from '../../../../src/transcripts/formats/markdown/escape-lines.ts';
import { parseMarkdown } from '../../../../src/transcripts/formats/markdown/parse.ts';
import { readMarkdown } from '../../../../src/transcripts/formats/markdown/read.ts';
import { writeMarkdown } from '../../../../src/transcripts/formats/markdown/write.ts';
import { exportText, importText, sessionsOf } from '../../transfer.ts';

const say = (text: string) => [user(`Q ${text}`), assistant(`A ${text}`)];
const leave = (topic: string) => ({
  kind: 'document' as const,
  id: CLOSING_SUMMARY,
  title: 'Session summary',
  content: { summary: emptySummary(topic) },
});

/** a, left with a summary → b, resumed and never left → c, forked in the middle of b → d, resumed. */
async function lineage(): Promise<Store> {
  const store = createMemoryStore();
  const a = await createSession(store, { id: 'a', agent: 'Sally' });
  await a.append([...say('one'), leave('First topic')]);
  const acknowledgement = { parts: [{ type: 'text', text: 'Ready.' }] };
  const b = await resumeSession(store, a.info, { birth: { id: 'b' }, acknowledgement });
  await b.append([...say('two'), ...say(`three\n${NEXT_SESSION}\n\n# X Conversation`)]);
  const fork = await forkSession(store, b.info, { id: 'c' });
  await b.append(say('elsewhere'));
  const c = await openSession(store, fork.id);
  await c.append(say('four'));
  const summary = emptySummary('Made when it was resumed');
  const d = await resumeSession(store, c.info, { birth: { id: 'd' }, acknowledgement, summary });
  await d.append(say('five'));
  await a.append(say('after all'));
  for (const each of [a, b, c, d]) await each.close();
  return store;
}

async function chainOf(store: Store, id: string): Promise<string> {
  let text = '';
  const chain = await readChain(store, (await store.session(id))!);
  for await (const piece of writeChain(store, chain)) text += piece.text;
  return text;
}

describe('a chain', () => {
  it('has every session that led to it once, oldest first, and nothing that led elsewhere', async () => {
    const store = await lineage();
    const text = await chainOf(store, 'd');
    const at = (word: string) => text.indexOf(word);
    const order = ['Session ID:** a', 'Q one', 'First topic', 'Session ID:** b', 'Session Restored', 'Q two'];
    const rest = ['Q three', 'Session ID:** c', 'Q four', 'Made when', 'Session ID:** d', 'Q five'];
    const places = [...order, ...rest].map(at);
    expect(places).toEqual([...places].sort((x, y) => x - y));
    expect(places[0]).toBeGreaterThan(0);
    expect(text.match(/Q (?:one|two|three|four|five)/g)).toHaveLength(5);
    expect(text.match(/^## Session Restored/gm)).toHaveLength(2);
    expect(text).not.toMatch(/elsewhere|after all/);
    expect(text).toContain('**Forked From:** b (entry ');
    // A fork counts on from what it shares.
    expect(text).toMatch(/## Query 3 \(.*\)\n\*\*You:\*\* Q four/);
  });

  it('reports its content and its omissions', async () => {
    const store = await lineage();
    const { links, missing } = await readChain(store, (await store.session('d'))!);
    expect(
      links.map(({ info, relation, queries, later }) => [info.id, relation, queries.total, later]),
    ).toEqual([
      ['a', undefined, 1, 2],
      ['b', 'resume', 2, 2],
      ['c', 'fork', 3, 0],
      ['d', 'resume', 1, 0],
    ]);
    expect(missing).toBeUndefined();
  });

  it('of one session is its transcript', async () => {
    const store = await lineage();
    const [first] = (await chainOf(store, 'b')).split(`\n${NEXT_SESSION}\n\n`);
    expect(first).toContain('**Total Queries:** 1');
    expect(await chainOf(store, 'a')).toBe(await exportText(store, 'a', writeMarkdown));
  });

  it('begins with the oldest that is still there, and says which is not', async () => {
    const store = await lineage();
    await trashSession(store, 'a');
    await purgeSession(store, (await store.session('a'))!);
    const { links, missing } = await readChain(store, (await store.session('d'))!);
    expect([missing, links.map(({ info }) => info.id)]).toEqual(['a', ['b', 'c', 'd']]);
  });

  it('is read back as the sessions it is made of, and each is written again as it stood there', async () => {
    const store = await lineage();
    const text = await chainOf(store, 'd');
    const again = createMemoryStore();
    const reports = await importText(again, readMarkdown, text, { format: 'markdown' });
    expect(
      reports.map(({ id, messages, unknownKept, damage }) => [id, messages, unknownKept, damage]),
    ).toEqual([
      ['a', 2, 0, 0],
      ['b', 4, 0, 0],
      ['c', 2, 0, 0],
      ['d', 2, 0, 0],
    ]);
    const pieces = await Promise.all(reports.map(({ id }) => exportText(again, id, writeMarkdown)));
    const heads = text.split(`\n${NEXT_SESSION}\n\n`);
    // A fork by itself has only its own questions.
    expect(pieces).toEqual(heads.map((piece) => piece.replace('Queries:** 3', 'Queries:** 1')));
    await importText(again, readMarkdown, text, { format: 'markdown' });
    expect(await sessionsOf(again)).toHaveLength(4);
  });

  it('is resumed as its newest session', async () => {
    const { header, queries, restored } = parseMarkdown(await chainOf(await lineage(), 'd'));
    expect(header.sessionId).toBe('d');
    expect(restored?.from).toBe('c');
    expect(queries.map(({ question }) => question)).toEqual(['Q five']);
  });
});
