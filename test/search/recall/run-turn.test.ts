import { expect, it } from 'vitest';
import { runTurn } from '../../../src/agent/index.ts';
import { createRecallTool, recollect } from '../../../src/search/index.ts';
import { assistant, user } from '../../../src/testing/index.ts';
import { scriptedModel } from '../../agent/scripted-model.ts';
import { openDesk } from './desk.ts';

const filler = 'Nothing in this sentence matters to anybody who reads it. '.repeat(8);

it('a turn gets compacted messages about its question, and can look further with its tool', async () => {
  await using desk = await openDesk([
    user(`The printer in Leeds charges 4711 pounds. ${filler}`),
    assistant(`Noted. ${filler}`),
    user(`The bindery in York charges 815 pounds. ${filler}`),
    assistant(`Noted as well. ${filler}`),
    user('And the weather?'),
    assistant('Sunny.'),
  ]);
  await desk.compact(2);
  const { store, recall, session } = desk;
  const model = scriptedModel([
    {
      calls: [{ id: 'c1', name: 'recall', input: { query: 'bindery York', limit: 3 } }],
      finish: 'tool-calls',
    },
    { text: '4711 and 815 pounds.' },
  ]);
  await runTurn(session, 'What do the printer in Leeds and the bindery charge?', {
    model,
    recall: (question, info) => recollect(store, recall, info, { question }),
    tools: { recall: createRecallTool({ store, recall, session: session.id }) },
  });
  const asked = model.requests.map(({ prompt }) => JSON.stringify(prompt));
  expect(asked[0]).toContain('[Found in earlier entries');
  expect(asked[0]).toContain('4711 pounds');
  expect(asked[1]).toContain('815 pounds');
  // The same for every step of the turn: what was recalled is part of the prefix from then on.
  const recalled = (prompt: string) => /\[Found in earlier.*?\[End of what was found\]/.exec(prompt)?.[0];
  expect(recalled(asked[1]!)).toBe(recalled(asked[0]!));
  expect(JSON.stringify(model.requests[0]!.tools)).toContain('"recall"');
});
