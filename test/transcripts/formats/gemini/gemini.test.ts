import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { readGemini } from '../../../../src/transcripts/formats/gemini/read.ts';
import { transcriptContract } from '../../contract.ts';
import { importText, logOfSession, sessionsOf } from '../../transfer.ts';

const HEADER = {
  sessionId: 'b3c1f0d2-0000-4000-8000-000000000001',
  projectHash: '0b7d',
  startTime: '2026-04-29T21:39:22.319Z',
  lastUpdated: '2026-04-29T21:39:22.319Z',
};

const user = (id: string, content: unknown) => ({
  id,
  timestamp: '2026-04-29T21:39:33.155Z',
  type: 'user',
  content,
});

function answer(id: string, content: string, more: object = {}) {
  const tokens = { input: 100, output: 10, cached: 40, thoughts: 5, tool: 0, total: 115 };
  const thoughts = [
    { subject: 'Files', description: 'List them first.', timestamp: '2026-04-29T21:39:34.000Z' },
  ];
  return {
    id,
    timestamp: '2026-04-29T21:39:35.125Z',
    type: 'gemini',
    content,
    thoughts,
    tokens,
    model: 'gemini-3-pro',
    ...more,
  };
}

const pending = { id: 'ls_1', name: 'run_shell_command', args: { command: 'ls' }, status: 'executing' };
const done = {
  ...pending,
  status: 'success',
  result: [
    { functionResponse: { id: 'ls_1', name: 'run_shell_command', response: { output: 'a.ts\nb.ts' } } },
  ],
  resultDisplay: 'a.ts\nb.ts',
};

const jsonl = (...records: object[]) => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;

const LINES = jsonl(
  { ...HEADER, kind: 'main' },
  user('u1', [{ text: 'List files.' }]),
  { $set: { lastUpdated: '2026-04-29T21:39:33.156Z' } },
  answer('g1', 'Looking.', { toolCalls: [pending] }),
  { id: 'i1', timestamp: '2026-04-29T21:39:36.000Z', type: 'info', content: 'Running' },
  answer('g1', 'Looking.', { toolCalls: [done] }),
  answer('g2', 'Two files.'),
  user('u2', 'Delete one.'),
  answer('g3', 'Gone.'),
  { $rewindTo: 'u2' },
  user('u3', 'Keep both.'),
  answer('g4', 'Kept.'),
);

const WHOLE = JSON.stringify(
  {
    ...HEADER,
    messages: [
      user('u1', 'List files.'),
      answer('g1', 'Looking.', { toolCalls: [done] }),
      { id: 'w1', timestamp: '2026-04-29T21:39:36.000Z', type: 'warning', content: 'Slow' },
      answer('g2', 'Two files.'),
    ],
  },
  null,
  2,
);

transcriptContract({ format: 'gemini', reader: readGemini, lines: true, samples: { lines: LINES } });
transcriptContract({ format: 'gemini', reader: readGemini, lines: false, samples: { 'one object': WHOLE } });

describe('a chat of Gemini CLI', () => {
  it.each([
    ['lines', LINES.split('\n').slice(0, 7).join('\n')],
    ['one object', WHOLE],
  ])('says the same as %s', async (_, text) => {
    const store = createMemoryStore();
    const [report] = await importText(store, readGemini, text, { format: 'gemini' });
    expect(report).toMatchObject({ messages: 4, toolPairs: 1, unknownKept: 0, damage: 0 });
    const said = (await logOfSession(store, report!.id)).flatMap(({ body }) =>
      body.kind === 'message' ? [body] : [],
    );
    expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(said[1]).toMatchObject({
      model: 'google:gemini-3-pro',
      usage: { inputTokens: 100, outputTokens: 15, reasoningTokens: 5, cacheReadTokens: 40 },
      parts: [
        { type: 'reasoning' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool-call', toolCallId: 'ls_1' },
      ],
    });
    expect(said[2]?.parts).toMatchObject([{ output: { type: 'text', value: 'a.ts\nb.ts' } }]);
  });

  it('makes a fork where it was rewound', async () => {
    const store = createMemoryStore();
    const [report] = await importText(store, readGemini, LINES, { format: 'gemini' });
    expect(report).toMatchObject({ branches: 1, messages: 8 });
    const words = (await logOfSession(store, report!.id)).flatMap(({ body }) =>
      body.kind === 'message' ? body.parts.flatMap(({ type, text }) => (type === 'text' ? [text] : [])) : [],
    );
    expect(words).toEqual(['List files.', 'Looking.', 'Two files.', 'Keep both.', 'Kept.']);
  });

  it('may hold a warning and nothing else', async () => {
    const store = createMemoryStore();
    const warning = { id: 'w', timestamp: '2026-04-29T21:39:36.000Z', type: 'warning', content: 'Old' };
    const text = JSON.stringify({ ...HEADER, messages: [warning] }, null, 2);
    expect(await importText(store, readGemini, text, { format: 'gemini' })).toMatchObject([
      { messages: 0, damage: 0 },
    ]);
    expect(await sessionsOf(store)).toHaveLength(1);
  });
});
