import { appendFileSync } from 'node:fs';
import { type AgentTool, runTurn, type TurnOptions, type TurnResult } from '../../src/agent/index.ts';
import { openSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { scriptedModel } from './scripted-model.ts';

// One turn with everything in it that a crash could tear apart: a tool that only looks, one that has an effect, both in
// one answer, and the effect once more on its own. What the model says depends on nothing but what it is sent.

export const INPUT = { id: '019b6f1c-3f68-7000-9a41-5c0f2b7d8e21', parts: 'Paint the house.' };

export const UNINTERRUPTED = [
  'user: Paint the house.',
  'assistant: First a look, then a coat. look({"at":"house"}) paint({"coat":1})',
  '(started)',
  'tool: = the house is grey',
  '(started)',
  'tool: = coat 1 is on',
  'assistant: And another. paint({"coat":2})',
  '(started)',
  'tool: = coat 2 is on',
  'assistant: The house is painted.',
];

export function rehearsedModel() {
  return scriptedModel(({ prompt }) => {
    const question = prompt.findLastIndex(({ role }) => role === 'user');
    const answers = prompt.slice(question).filter(({ role }) => role === 'assistant').length;
    const steps = [
      {
        text: 'First a look, then a coat.',
        calls: [
          { id: 'c1', name: 'look', input: { at: 'house' } },
          { id: 'c2', name: 'paint', input: { coat: 1 } },
        ],
      },
      { text: 'And another.', calls: [{ id: 'c1', name: 'paint', input: { coat: 2 } }] },
      { text: 'The house is painted.' },
    ];
    return steps[Math.min(answers, 2)]!;
  });
}

/** `onEffect` is called with each coat as it goes on, before anybody hears of it. */
export function rehearsedTools(onEffect: (coat: number) => void): Record<string, AgentTool> {
  return {
    look: {
      inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
      repeatable: true,
      execute: (input) => `the ${(input as { at: string }).at} is grey`,
    },
    paint: {
      inputSchema: { type: 'object', properties: { coat: { type: 'number' } }, required: ['coat'] },
      execute(input) {
        const { coat } = input as { coat: number };
        onEffect(coat);
        return `coat ${coat} is on`;
      },
    },
  };
}

/** Runs the turn in a session of this store, from wherever it stands. */
export async function rehearse(
  store: Store,
  onEffect: (coat: number) => void,
  options: TurnOptions = {},
): Promise<TurnResult> {
  // A process that dies closes nothing.
  const session = await openSession(store, 's');
  const tools = rehearsedTools(onEffect);
  const result = await runTurn(session, INPUT, { model: rehearsedModel(), tools, ...options });
  await session.close();
  return result;
}

export const effectsIn = (file: string) => (coat: number) => appendFileSync(file, `${coat}\n`);
