import { describe, expect, it } from 'vitest';
import { readFrontier } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { readPi } from '../../../../src/transcripts/formats/pi/read.ts';
import { writePi } from '../../../../src/transcripts/formats/pi/write.ts';
import { transcriptContract } from '../../contract.ts';
import { exportText, importText, logOfSession, sessionsOf } from '../../transfer.ts';
import { beside, first, takenBack, tree } from './records.ts';

transcriptContract({
  format: 'pi',
  reader: readPi,
  writer: writePi,
  lines: true,
  samples: {
    'version 1': first(),
    'a tree': tree(),
    'a record beside': beside(),
    'a compaction taken back': takenBack(),
  },
});

async function read(file: string) {
  const store = createMemoryStore();
  const reports = await importText(store, readPi, file, { format: 'pi' });
  return { store, report: reports[0]!, log: await logOfSession(store, reports[0]!.id) };
}

describe('a session of pi', () => {
  it('keeps messages, tool pairs, what they cost and how they ended', async () => {
    const { store, report, log } = await read(first());
    expect(report).toMatchObject({ messages: 8, toolPairs: 1, compactions: 1, unknownKept: 0, damage: 0 });
    const [session] = await sessionsOf(store);
    expect(session?.usage).toMatchObject({ inputTokens: 1390, outputTokens: 60, cost: 4 });
    expect(session?.state.settings).toMatchObject({
      agent: 'pi',
      project: '/home/sally/shop',
      model: 'anthropic:claude-opus-4-5',
    });
    const answers = log.flatMap(({ body }) =>
      body.kind === 'message' && body.role === 'assistant' ? [body] : [],
    );
    expect(answers.map(({ status }) => status)).toEqual([undefined, undefined, 'interrupted', undefined]);
    expect(answers[0]?.parts[0]).toMatchObject({ providerOptions: { anthropic: { signature: 'c2ln' } } });
  });

  it('finds what a compaction of version 1 kept by its place in the file', async () => {
    const { store } = await read(first());
    const [session] = await sessionsOf(store);
    const frontier = await readFrontier(store, session!);
    expect(frontier.map(({ body }) => (body.kind === 'message' ? body.role : body.kind))).toEqual([
      'compaction',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('finds what a compaction of version 3 kept by its name, and follows each branch', async () => {
    const { store, report } = await read(tree());
    expect(report).toMatchObject({ branches: 1, compactions: 1, unknownKept: 1 });
    const frontier = await readFrontier(store, (await store.session(report.id))!);
    const words = frontier.map(({ body }) =>
      body.kind === 'message' ? body.parts[0]?.text : body.kind === 'compaction' && body.summary.overview,
    );
    expect(words).toEqual([
      'The files were listed.',
      'Go on.',
      'Where?',
      'Left was a dead end.',
      'Right.',
      'Right it is.',
      'Mind the gap.',
    ]);
  });

  it('does not take a record beside a question for a branch', async () => {
    const { store, report } = await read(beside());
    expect(report).toMatchObject({ branches: 0, messages: 4 });
    const { excluded } = (await store.session(report.id))!.state;
    expect(excluded).toHaveLength(1);
  });

  it('has no compaction where the tree went back to before it', async () => {
    const { store, report } = await read(takenBack());
    const frontier = await readFrontier(store, (await store.session(report.id))!);
    expect(frontier.map(({ body }) => body.kind === 'message' && body.parts[0]?.text)).toEqual([
      'One?',
      'Two.',
      'Three?',
      'Four.',
    ]);
  });

  it('is written again to the byte', async () => {
    for (const file of [first(), tree(), beside(), takenBack()]) {
      const { store, report } = await read(file);
      expect(await exportText(store, report.id, writePi)).toBe(file);
    }
  });
});
