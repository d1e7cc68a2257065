import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { readChatGpt } from '../../../../src/transcripts/formats/chatgpt/read.ts';
import { textSource } from '../../../../src/transcripts/source/open-source.ts';
import { transcriptContract } from '../../contract.ts';
import { importText, logOfSession } from '../../transfer.ts';

const node = (id: string, parent: string | null, role?: string, content?: object, more: object = {}) => ({
  id,
  parent,
  children: [],
  message:
    role === undefined
      ? null
      : {
          id,
          author: { role },
          create_time: 1_700_000_000.5,
          recipient: 'all',
          metadata: {},
          content,
          ...more,
        },
});
const text = (...parts: unknown[]) => ({ content_type: 'text', parts });

const nodes = [
  node('root', null),
  node('sys', 'root', 'system', text(''), { metadata: { is_visually_hidden_from_conversation: true } }),
  node('u1', 'sys', 'user', text('Name a bird.')),
  node('a1', 'u1', 'assistant', text('Robin.'), { metadata: { model_slug: 'gpt-5' } }),
  node('u2', 'a1', 'user', text('Another?')),
  node('t2', 'u2', 'assistant', {
    content_type: 'thoughts',
    thoughts: [{ summary: 'Birds', content: 'Many.' }],
  }),
  node('c2', 't2', 'assistant', { content_type: 'code', text: 'search("bird")' }, { recipient: 'browser' }),
  node(
    'r2',
    'c2',
    'tool',
    { content_type: 'execution_output', text: 'wren' },
    { author: { role: 'tool', name: 'browser' } },
  ),
  node('a2', 'r2', 'assistant', text('Wren.')),
  node('u1b', 'sys', 'user', {
    content_type: 'multimodal_text',
    parts: [{ asset_pointer: 'file-service://x' }, 'Which is this?'],
  }),
  node('a1b', 'u1b', 'assistant', text('A crow.')),
];
const conversation = (current: string) => ({
  id: 'conv-1',
  title: 'Birds',
  create_time: 1_700_000_000,
  mapping: Object.fromEntries(nodes.map((one) => [one.id, one])),
  current_node: current,
});

const EXPORT = JSON.stringify([conversation('a2'), { ...conversation('a1b'), id: 'conv-2', title: '' }]);
const SINGLE = JSON.stringify(conversation('a2'), null, 2);

transcriptContract({
  format: 'chatgpt',
  reader: readChatGpt,
  lines: false,
  samples: { 'an export': EXPORT, 'one conversation': SINGLE },
});

describe('an export of ChatGPT', () => {
  it('has a session for each conversation, on the line that is current, and forks for the others', async () => {
    const store = createMemoryStore();
    const reports = await importText(store, readChatGpt, EXPORT, { format: 'chatgpt' });
    expect(reports.map(({ id, messages, branches }) => [id, messages, branches])).toEqual([
      ['conv-1', 9, 1],
      ['conv-2', 9, 1],
    ]);
    const words = async (id: string) =>
      (await logOfSession(store, id)).flatMap(({ body }) =>
        body.kind === 'message'
          ? body.parts.flatMap(({ type, text: said }) => (type === 'text' ? [said] : []))
          : [],
      );
    expect(await words('conv-1')).toEqual(['Name a bird.', 'Robin.', 'Another?', 'Wren.']);
    expect(await words('conv-2')).toEqual(['Which is this?', 'A crow.']);
    expect((await store.session('conv-1'))?.state.title?.text).toBe('Birds');
  });

  it('pairs calls of a tool with their results', async () => {
    const store = createMemoryStore();
    const [report] = await importText(store, readChatGpt, SINGLE, { format: 'chatgpt' });
    expect(report).toMatchObject({ toolPairs: 1 });
    const parts = (await logOfSession(store, 'conv-1')).flatMap(({ body }) =>
      body.kind === 'message' ? body.parts : [],
    );
    expect(parts.filter(({ type }) => type.startsWith('tool-'))).toMatchObject([
      { type: 'tool-call', toolCallId: 'c2', toolName: 'browser' },
      { type: 'tool-result', toolCallId: 'c2', output: { value: 'wren' } },
    ]);
  });

  it('follows a conversation to where it went on', async () => {
    const store = createMemoryStore();
    await importText(store, readChatGpt, JSON.stringify([conversation('a2')]), { format: 'chatgpt' });
    const [report] = await importText(store, readChatGpt, JSON.stringify([conversation('a1b')]), {
      format: 'chatgpt',
    });
    expect(report?.added).toBe(0);
    const said = await logOfSession(store, report!.id);
    expect(said.at(-1)?.body).toMatchObject({ parts: [{ text: 'A crow.' }] });
  });

  it('that says no times was said when the file was written', async () => {
    const timeless = EXPORT.replaceAll(/"create_time":[0-9.]+,?/g, '');
    const times = new Set<number>();
    for await (const found of readChatGpt(textSource(timeless, { changedAt: 1_234_567 })))
      for (const one of found) if (one.kind === 'entry') times.add(one.at);
    expect(times).toEqual(new Set([1_234_567]));
  });
});
