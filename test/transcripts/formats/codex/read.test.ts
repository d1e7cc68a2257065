import { describe, expect, it } from 'vitest';
import { readFrontier } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { readCodex } from '../../../../src/transcripts/formats/codex/read.ts';
import { writeCodex } from '../../../../src/transcripts/formats/codex/write.ts';
import { transcriptContract } from '../../contract.ts';
import { exportText, importText, logOfSession, sessionsOf } from '../../transfer.ts';
import { bare, compacted, ordinary, rolledBack } from './rollouts.ts';

transcriptContract({
  format: 'codex',
  reader: readCodex,
  writer: writeCodex,
  lines: true,
  samples: { ordinary: ordinary(), compacted: compacted(), 'rolled back': rolledBack(), bare: bare() },
});

async function read(file: string) {
  const store = createMemoryStore();
  const reports = await importText(store, readCodex, file, { format: 'codex' });
  return { store, report: reports[0]!, log: await logOfSession(store, reports[0]!.id) };
}

describe('a rollout of Codex', () => {
  it('counts a message once although it stands there twice, and only what people asked as questions', async () => {
    const { store, report, log } = await read(ordinary());
    expect(report).toMatchObject({ messages: 10, toolPairs: 3, unknownKept: 1, damage: 0 });
    const roles = log.flatMap(({ body }) => (body.kind === 'message' ? [body.role] : []));
    expect(roles).toEqual([
      ...['system', 'system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'assistant', 'user'],
    ]);
    const [session] = await sessionsOf(store);
    expect(session?.totals.queries).toBe(2);
    expect(session?.usage).toMatchObject({ inputTokens: 240, outputTokens: 60, cacheReadTokens: 90 });
    expect(session?.state.settings).toMatchObject({ agent: 'Codex', model: 'openai:gpt-5.2-codex' });
  });

  it('puts the items of one reply into one message, its sealed thought where the service finds it', async () => {
    const { log } = await read(ordinary());
    const answer = log.find(({ body }) => body.kind === 'message' && body.role === 'assistant')?.body;
    expect(answer).toMatchObject({
      model: 'openai:gpt-5.2-codex',
      parts: [
        { type: 'reasoning', providerOptions: { openai: { reasoningEncryptedContent: 'c2VjcmV0' } } },
        { type: 'text', text: 'I will look.' },
        { type: 'tool-call', toolName: 'shell', input: { command: 'ls' } },
        { type: 'tool-call', input: { command: 'pwd' } },
      ],
    });
  });

  it('quotes the questions where the summary is encrypted', async () => {
    const { store, report } = await read(compacted());
    expect(report.compactions).toBe(2);
    const frontier = await readFrontier(store, (await sessionsOf(store))[0]!);
    const [summary] = frontier.map(({ body }) => (body.kind === 'compaction' ? body : undefined));
    expect(summary?.level).toBe(2);
    expect(summary?.summary.overview).toMatch(/encrypted[\s\S]*- Rename the shop\.$/);
  });

  it('leaves turns that were taken back in the session they were said in', async () => {
    const { store, report } = await read(rolledBack());
    expect(report).toMatchObject({ branches: 1, messages: 6 });
    const words = (await logOfSession(store, report.id)).flatMap(({ body }) =>
      body.kind === 'message' ? body.parts.map(({ text }) => text) : [],
    );
    expect(words).toEqual(['Paint it red.', 'Red.', 'Paint it blue.', 'Blue.']);
    expect((await store.session(report.id))?.totals.messages).toBe(4);
  });

  it('is written again to the byte', async () => {
    for (const file of [ordinary(), compacted(), rolledBack(), bare()]) {
      const { store, report } = await read(file);
      expect(await exportText(store, report.id, writeCodex)).toBe(file);
    }
  });
});
