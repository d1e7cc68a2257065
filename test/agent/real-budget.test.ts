import fc from 'fast-check';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { contextAt, openAgent, runTurn } from '../../src/agent/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { openWorkshop } from '../work/workshop.ts';
import { type ScriptedModel, scriptedModel } from './scripted-model.ts';

// The estimate is low for texts that no language has: up to five times with o200k, up to eight times with cl100k.

const TOKENIZERS = {
  o200k: { tokenizer: o200k, id: 'openai:gpt-5' },
  cl100k: { tokenizer: cl100k, id: 'azure:gpt-4-turbo' },
};

const of = (letters: string) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: 200, maxLength: 900 });
const between = (from: number, to: number) =>
  fc
    .array(fc.integer({ min: from, max: to }), { minLength: 200, maxLength: 900 })
    .map((codes) => String.fromCodePoint(...codes));
const hostile = fc.oneof(
  of('ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
  of('AbCdEfGhIjKlMnOpQrStUvWxYz'),
  of('!"#$%&()*+,-./:;<=>?@[]^_`{|}~'),
  of('aéîõü ß'),
  between(0x4e00, 0x9fff),
  between(0x10d0, 0x10f0),
  between(0x0905, 0x0939),
  between(0x0e01, 0x0e2e),
  between(0xac00, 0xd7a3),
  between(0x1f300, 0x1faff),
  between(0xd800, 0xdfff),
  fc.string({ unit: 'binary', minLength: 200, maxLength: 900 }),
);

const WINDOW = 6_000;
const RESERVE = 1_000;

/** What was sent, by a tokenizer: everything that is a text in it, but not the frames around it. */
function realTokens({ requests }: ScriptedModel, countTokens: (text: string) => number): number {
  const { prompt, tools = [] } = requests.at(-1)!;
  const texts = prompt.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.map((part) => ('text' in part ? part.text : JSON.stringify(part))),
  );
  return [...texts, ...tools.map((tool) => JSON.stringify(tool))].reduce(
    (sum, text) => sum + countTokens(text),
    0,
  );
}

describe.each(Object.entries(TOKENIZERS))('with the tokenizer %s', (_, { tokenizer, id }) => {
  const countTokens = (text: string) => tokenizer(text, { disallowedSpecial: new Set() });

  it.each([
    ['runTurn', 'a tokenizer of the host'],
    ['runTurn', 'the name of the model'],
    ['openAgent', 'a tokenizer of the host'],
    ['openAgent', 'the name of the model'],
  ] as const)('no request of %s that knows %s is over its budget, whatever was said', async (door, by) => {
    const known = by === 'a tokenizer of the host';
    const choices = { compaction: false, ...(known && { countTokens }) } as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostile, { minLength: 1, maxLength: 14 }),
        hostile,
        async (texts, question) => {
          await using store = createMemoryStore();
          await using session = await createSession(store, { settings: { compaction: 'off' } });
          await session.append(texts.map((text, index) => (index % 2 === 0 ? user(text) : assistant(text))));
          const limits = { window: WINDOW, output: RESERVE, ...(!known && { id }) };
          const model = scriptedModel(() => ({ text: 'Fine.' }), limits);
          try {
            if (door === 'runTurn') await runTurn(session, question, { model, ...choices });
            else {
              await using agent = await openAgent(session, { model, memory: false, ...choices });
              await agent.send(question);
            }
          } catch (error) {
            // A refusal is no request that is too long.
            if (!isThroughlineError(error, 'head-too-large')) throw error;
            return;
          }
          expect(realTokens(model, countTokens)).toBeLessThanOrEqual(WINDOW - RESERVE);
          const { head } = await session.refresh();
          expect((await contextAt(store, session.info, head))?.exact).toBe(true);
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('no work request for that model is over its budget, with any messages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostile, { minLength: 1, maxLength: 14 }),
        hostile,
        async (texts, question) => {
          await using shop = await openWorkshop({ model: id, budget: WINDOW, memory: false });
          const { work } = shop;
          const session = await work.createSession('dev-task', 'auth', 'login');
          for (const [index, text] of texts.entries())
            await work.addMessage(session, index % 2 === 0 ? 'user' : 'assistant', text);
          const { systemPrompt, userPrompt, totalTokens } = await work.buildRequest(session, question);
          expect(totalTokens).toBe(countTokens(systemPrompt) + countTokens(userPrompt));
          expect(totalTokens).toBeLessThanOrEqual(WINDOW);
        },
      ),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

it('no work request of a desk without a model is over its budget in o200k, whatever was said', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 14 }), hostile, async (texts, question) => {
      await using shop = await openWorkshop({ budget: WINDOW, memory: false });
      const { work } = shop;
      const session = await work.createSession('dev-task', 'auth', 'login');
      for (const [index, text] of texts.entries())
        await work.addMessage(session, index % 2 === 0 ? 'user' : 'assistant', text);
      const { systemPrompt, userPrompt } = await work.buildRequest(session, question);
      const any = { disallowedSpecial: new Set<string>() };
      expect(o200k(systemPrompt, any) + o200k(userPrompt, any)).toBeLessThanOrEqual(WINDOW);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
