import { describe, expect, it } from 'vitest';
import { compactSession, createModelSummariser, PRESETS } from '../../src/compaction/index.ts';
import { openModel } from '../../src/models/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { reply, replyObject } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';

const EMPTY = {
  background: '',
  overview: '',
  topics: [],
  decisions: [],
  completed: [],
  pending: [],
  blockers: [],
  facts: [],
};
const record = () => replyObject({ ...EMPTY, overview: 'They talked about the parts, one by one.' });
const garbage = () => reply('lorem ipsum dolor sit amet');

/** What comes of a conversation of several times the window, when the nth request is answered so. */
async function summarised(answer: (asked: number) => ReturnType<typeof reply>) {
  let asked = 0;
  await using server = await startWireServer('anthropic', () => answer(++asked));
  const session = await createSession(createMemoryStore(), { id: 's' });
  const words = 'with a good many words around it so that there is something to shorten. '.repeat(24);
  for (let n = 0; n < 60; n++) await session.append([user(`Part ${n} ${words}`), assistant(`Did ${n}.`)]);
  const opened = await openModel(server.reference, { env: server.env });
  const limits = { window: 6_000, output: 1_000, source: 'declared' } as const;
  const { by, failures } = await compactSession(session, {
    settings: { ...PRESETS.window, keep: { messages: 2 } },
    summariser: createModelSummariser({ ...opened, limits }),
  });
  const pieces = server.requests.map(
    ({ body }) => /<transcript>.*<\/transcript>/.exec(JSON.stringify(body))![0],
  );
  return { by: by.kind, failures, asked, pieces: new Set(pieces).size };
}

describe('a model that is read to in pieces', () => {
  it.each([
    ['no record', garbage, 4, 'it has no record in it'],
    ['nothing', () => reply(''), 4, 'it is empty'],
    ['empty records', () => replyObject(EMPTY), 4, 'it is empty'],
    [
      'a refusal',
      () => replyObject({ ...EMPTY, overview: "I'm sorry, but I can't help with that." }),
      2,
      'it answers instead of telling what was said',
    ],
    [
      'tool calls',
      () => replyObject({ ...EMPTY, overview: '<tool_call>rm -rf</tool_call>' }),
      2,
      'it is made of tool calls',
    ],
  ])('and answers with %s is not asked about those behind', async (_, answer, asked, reason) => {
    const seen = await summarised(answer);
    expect(seen).toMatchObject({ by: 'digest', asked });
    expect(seen.failures.map((failure) => failure.reason)).toEqual(
      Array.from({ length: 2 }, () => `The summary was not used: ${reason}.`),
    );
  });

  it('may have nothing to tell of the first', async () => {
    const seen = await summarised((asked) => (asked === 1 ? replyObject(EMPTY) : record()));
    expect(seen).toMatchObject({ by: 'model', failures: [], asked: seen.pieces });
    expect(seen.pieces).toBeGreaterThan(3);
  });

  it('is asked once more about the one that it gave no record of, and about no other', async () => {
    const seen = await summarised((asked) => (asked === 3 || asked === 4 ? garbage() : record()));
    expect(seen).toMatchObject({ by: 'model', asked: seen.pieces + 2 });
    expect(seen.failures).toHaveLength(1);
  });
});
