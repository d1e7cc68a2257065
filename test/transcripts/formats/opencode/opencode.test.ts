import { describe, expect, it } from 'vitest';
import { readFrontier } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { readOpencode } from '../../../../src/transcripts/formats/opencode/read.ts';
import { transcriptContract } from '../../contract.ts';
import { importText, logOfSession, sessionsOf } from '../../transfer.ts';

const SESSION = 'ses_2bef25635ffe';
let count = 0;
const id = (kind: string) => `${kind}_${(++count).toString().padStart(4, '0')}`;

function message(role: 'user' | 'assistant', parts: object[], info: object = {}) {
  const name = id('msg');
  const time = {
    created: 1_776_000_000_000 + count * 1000,
    ...(role === 'assistant' && { completed: 1_776_000_000_500 + count * 1000 }),
  };
  const tokens = { total: 1100, input: 100, output: 20, reasoning: 5, cache: { read: 900, write: 75 } };
  const facts =
    role === 'assistant' ? { tokens, cost: 0.5, modelID: 'claude-sonnet-4.6', providerID: 'anthropic' } : {};
  return {
    info: { role, time, ...facts, ...info, id: name, sessionID: SESSION },
    parts: parts.map((part) => ({ ...part, id: id('prt'), sessionID: SESSION, messageID: name })),
  };
}

const tool = (callID: string, state: object) => ({
  type: 'tool',
  tool: 'bash',
  callID,
  state: { input: { command: 'ls' }, ...state },
});
const text = (words: string) => ({ type: 'text', text: words });

const EXPORT = JSON.stringify(
  {
    info: {
      id: SESSION,
      directory: '/home/sally/shop',
      title: 'List the files',
      version: '1.14.30',
      time: { created: 1_776_000_000_000, updated: 1_776_000_100_000 },
    },
    messages: [
      message('user', [
        text('List the files.'),
        { type: 'file', mime: 'text/plain', url: 'file:///a.ts', filename: 'a.ts' },
      ]),
      message('assistant', [
        { type: 'step-start', snapshot: 'x' },
        { type: 'reasoning', text: 'ls', metadata: { anthropic: { signature: 'c2ln' } } },
        tool('call_1', { status: 'completed', output: 'a.ts', metadata: { exit: 0 }, title: 'ls' }),
        tool('call_2', { status: 'error', error: 'no such folder' }),
        tool('call_3', { status: 'running' }),
        { type: 'step-finish', reason: 'tool-calls' },
      ]),
      message('assistant', [text('One file.')]),
      message('user', [{ type: 'compaction', auto: true }]),
      message('assistant', [text('A file was listed.')], { summary: true, mode: 'compaction' }),
      message('user', [{ ...text('Continue.'), synthetic: true }]),
      message('assistant', [text('Done.')], { error: { name: 'MessageAbortedError' } }),
    ],
  },
  null,
  2,
);

transcriptContract({
  format: 'opencode',
  reader: readOpencode,
  lines: false,
  samples: { 'an export': EXPORT },
});

describe('an export of opencode', () => {
  it('keeps messages, pairs, costs and the compaction', async () => {
    const store = createMemoryStore();
    const [report] = await importText(store, readOpencode, EXPORT, { format: 'opencode' });
    expect(report).toMatchObject({ id: SESSION, messages: 6, toolPairs: 2, compactions: 1, damage: 0 });
    const [session] = await sessionsOf(store);
    expect(session?.state).toMatchObject({
      title: { text: 'List the files' },
      settings: { agent: 'opencode', project: '/home/sally/shop' },
    });
    expect(session?.usage).toMatchObject({
      inputTokens: 4300,
      outputTokens: 100,
      cacheReadTokens: 3600,
      cost: 2,
    });
    const said = (await logOfSession(store, SESSION)).flatMap(({ body }) =>
      body.kind === 'message' ? [body] : [],
    );
    expect(said.map(({ role, status }) => status ?? role)).toEqual([
      ...['user', 'assistant', 'tool', 'assistant', 'user', 'interrupted'],
    ]);
    expect(said[2]?.parts).toMatchObject([
      { toolCallId: 'call_1', output: { type: 'text', value: 'a.ts' } },
      { toolCallId: 'call_2', output: { type: 'error-text', value: 'no such folder' } },
    ]);
    const frontier = await readFrontier(store, session!);
    expect(frontier.map(({ body }) => body.kind)).toEqual(['compaction', 'message', 'message']);
  });

  it('knows whose sub-agent a session is', async () => {
    const store = createMemoryStore();
    const child = EXPORT.replace('"directory"', '"parentID": "ses_parent", "directory"');
    await importText(store, readOpencode, child, { format: 'opencode' });
    const [session] = await sessionsOf(store);
    expect(session?.state).toMatchObject({ tags: ['sub-agent'], settings: { subAgentOf: 'ses_parent' } });
  });
});
