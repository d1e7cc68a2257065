import { describe, expect, it } from 'vitest';
import { readFrontier } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { readClaudeCode } from '../../../../src/transcripts/formats/claude-code/read.ts';
import { writeClaudeCode } from '../../../../src/transcripts/formats/claude-code/write.ts';
import { transcriptContract } from '../../contract.ts';
import { importText, logOfSession, sessionsOf } from '../../transfer.ts';
import { branched, compacted, createFile, ordinary, text, withSubAgent } from './lines.ts';

transcriptContract({
  format: 'claude-code',
  reader: readClaudeCode,
  writer: writeClaudeCode,
  lines: true,
  samples: {
    ordinary: ordinary(),
    compacted: compacted(),
    branched: branched(),
    'a sub-agent': withSubAgent(),
  },
});

async function read(file: string) {
  const store = createMemoryStore();
  const reports = await importText(store, readClaudeCode, file, { format: 'claude-code' });
  return { store, reports, report: reports[0]!, log: await logOfSession(store, reports[0]!.id) };
}

describe('a transcript of Claude Code', () => {
  it('calls a result by its call, also if that comes later in the same reply', async () => {
    const file = createFile();
    file.prompt('Look');
    const reply = (content: unknown) =>
      file.add('assistant', { message: { role: 'assistant', id: 'msg_1', model: 'm', content } });
    reply([{ type: 'text', text: 'Looking' }]);
    file.result('call_1', 'found');
    reply([{ type: 'tool_use', id: 'call_1', name: 'Read', input: {} }]);
    const { log } = await read(file.text());
    expect(JSON.stringify(log)).not.toContain('"toolName":"unknown"');
  });

  it('is one message per reply, however many lines it spans, with its usage counted once', async () => {
    const { store, report, log } = await read(ordinary());
    expect(report).toMatchObject({ messages: 6, toolPairs: 2, unknownKept: 1, damage: 0, branches: 0 });
    const said = log.flatMap(({ body }) => (body.kind === 'message' ? [body] : []));
    expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant', 'user']);
    expect(said[1]?.parts.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool-call', 'tool-call']);
    const [session] = await sessionsOf(store);
    expect(session?.usage).toMatchObject({ inputTokens: 2008, outputTokens: 100, cacheReadTokens: 1800 });
    expect(session?.totals).toMatchObject({ messages: 6, queries: 2 });
  });

  it('knows whose it is, where it was and what it is called', async () => {
    const { store } = await read(ordinary());
    const [session] = await sessionsOf(store);
    expect(session?.state.settings).toMatchObject({ agent: 'Claude Code', project: '/home/sally/shop' });
    expect(session?.state.title).toEqual({ text: 'Rounding', by: 'user' });
  });

  it('gives tool results the name of the tool, and the model its signed thoughts', async () => {
    const { log } = await read(ordinary());
    const parts = log.flatMap(({ body }) => (body.kind === 'message' ? body.parts : []));
    expect(parts.filter(({ type }) => type === 'tool-result')).toMatchObject([
      { toolCallId: 'toolu_1', toolName: 'Grep', output: { type: 'text', value: 'cart.ts:12' } },
      { toolCallId: 'toolu_2', toolName: 'Read', output: { type: 'content', value: [{ type: 'text' }] } },
    ]);
    expect(parts[1]).toMatchObject({ providerOptions: { anthropic: { signature: 'c2ln' } } });
  });

  it('takes a summary in the user’s place for a compaction, not for a question', async () => {
    const { store, report } = await read(compacted());
    expect(report).toMatchObject({ messages: 4, compactions: 1 });
    const [session] = await sessionsOf(store);
    expect(session?.totals.queries).toBe(2);
    const frontier = await readFrontier(store, session!);
    expect(frontier.map(({ body }) => body.kind)).toEqual(['compaction', 'message', 'message']);
    expect(frontier[0]?.body).toMatchObject({ tokensBefore: 155_000, by: { kind: 'import' } });
  });

  it('makes a fork of questions after going back, and goes on where that was', async () => {
    const { store, report } = await read(branched());
    expect(report).toMatchObject({ messages: 8, branches: 1 });
    const sessions = await sessionsOf(store);
    const words = await Promise.all(
      sessions.map(async ({ id }) =>
        (await logOfSession(store, id)).flatMap(({ body }) =>
          body.kind === 'message' ? body.parts.map(({ text }) => text) : [],
        ),
      ),
    );
    const start = ['Sort the list.', 'With which key?'];
    expect(words).toEqual([
      [...start, 'By price.', 'Sorted by price.', 'And backwards.', 'Backwards now.'],
      [...start, 'By name.', 'Sorted by name.'],
    ]);
    expect(report.id).toBe(sessions[0]!.id);
  });

  it('keeps a sub-agent in a separate session', async () => {
    const { store, reports } = await read(withSubAgent());
    expect(reports.map(({ messages }) => messages)).toEqual([4, 2]);
    const sub = await store.session(reports[1]!.id);
    expect(sub?.state).toMatchObject({ tags: ['sub-agent'], settings: { subAgentOf: reports[0]!.id } });
  });

  it('does not take a hook beside an answer for a branch', async () => {
    const file = createFile();
    file.prompt('one');
    const reply = file.reply('msg_1', text('two'));
    file.add('progress', { data: {} }, { parent: reply });
    file.add('system', { subtype: 'stop_hook_summary' }, { parent: reply });
    file.prompt('three', { parent: reply });
    const { report } = await read(file.text());
    expect(report).toMatchObject({ branches: 0, messages: 3 });
  });

  it('reports a parent that is not there, and goes on', async () => {
    const file = createFile();
    file.prompt('one');
    file.reply('msg_1', text('two'));
    file.prompt('three', { parent: 'ffffffff-0000-4000-8000-000000000000' });
    const { report } = await read(file.text());
    expect(report).toMatchObject({ branches: 0, messages: 3, damageKinds: { 'missing-parent': 1 } });
  });

  it('counts what the program says in the person’s place as no question', async () => {
    const file = createFile();
    file.prompt('one');
    file.add('user', { isMeta: true, message: { role: 'user', content: 'Caveat' } });
    file.prompt('<local-command-stdout>ok</local-command-stdout>');
    file.add('attachment', {
      attachment: { type: 'queued_command', prompt: 'and two', commandMode: 'prompt' },
    });
    const { store } = await read(file.text());
    expect((await sessionsOf(store))[0]?.totals).toMatchObject({ messages: 4, queries: 2 });
  });
});
