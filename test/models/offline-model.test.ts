import { generateText, type ModelMessage, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { labelRecall, labelRecalled, labelRecord } from '../../src/context/render/label-text.ts';
import { createOfflineModel, generate, openModel } from '../../src/models/index.ts';
import { readStream } from '../support/read-stream.ts';

const model = createOfflineModel();
const CONVERSATION: ModelMessage[] = [
  { role: 'user', content: 'We keep the invoices in Postgres. The port is 5433. Lunch is at noon.' },
  { role: 'assistant', content: 'Noted. I will use port 5433 for Postgres, and 6379 for Redis.' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'ls', input: {} }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c',
        toolName: 'ls',
        output: { type: 'text', value: 'invoices.sql\nREADME.md' },
      },
    ],
  },
];
const ask = (content: string): ModelMessage[] => [...CONVERSATION, { role: 'user', content }];
const user = (content: string): ModelMessage => ({ role: 'user', content });
const answer = async (messages: ModelMessage[]) => (await generateText({ model, messages })).text;

describe('the offline model', () => {
  it('says that it is offline, quotes what fits the question, and says how to connect a model', async () => {
    expect(await answer(ask('Which port does Postgres have?'))).toMatchInlineSnapshot(`
      "offline: no model is connected, so this is no answer of a model. Here is what this session says about your question:

      - you: We keep the invoices in Postgres.
      - you: The port is 5433.
      - assistant: I will use port 5433 for Postgres, and 6379 for Redis.

      To connect a model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama and set OLLAMA_HOST, and start again. THROUGHLINE_MODEL names another, as in THROUGHLINE_MODEL=ollama:qwen3."
    `);
  });

  it('quotes messages, once, and not the labels of hits or summaries', async () => {
    const said = 'We decided to use Redis for the limiter.';
    const entry = '0199f3a0-0000-7000-8000-000000000000';
    const found = labelRecalled(
      { session: 's', entry, seq: 2, role: 'assistant', text: said },
      { byId: true, joined: false },
    );
    const text = await answer([
      { role: 'user', content: labelRecord(entry, 'entries 1–4', `## Decisions\n- ${said}`) },
      { role: 'user', content: labelRecall(`${found}${said}\n#3 user: The limiter allows 5 requests.`) },
      { role: 'user', content: 'What about the limiter?' },
    ]);
    const quotes = text.split('\n').filter((line) => line.startsWith('- '));
    expect(quotes).toEqual([`- assistant: ${said}`, '- you: The limiter allows 5 requests.']);
  });

  it('names the speaker of each sentence of a hit, also of neighbours without a number', async () => {
    const lines = [
      'Session older:',
      '2025-05-08:',
      '#4 assistant: We could use WRR. Alternative: deficit round robin with a credit table.',
      '  The second line of it says round robin too.',
      'user: Then weighted round robin it is.',
    ];
    const text = await answer([user(labelRecall(lines.join('\n'))), user('What about round robin?')]);
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- assistant: Alternative: deficit round robin with a credit table.',
      '- assistant: The second line of it says round robin too.',
      '- you: Then weighted round robin it is.',
    ]);
  });

  it('leaves out what a summary made of a sentence that is there itself', async () => {
    const text = await answer([
      user('[Record 1]\n- > limiter token bucket\n- the limiter is a token bucket\n[End of record 1]'),
      user('What is the limiter?'),
    ]);
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- summary: the limiter is a token bucket',
    ]);
  });

  it.each(['What did I say?', 'what did we talk about last time', 'Recap!', 'Summarize our conversation.'])(
    'quotes the last messages for a message without a subject: %s',
    async (question) => {
      const said = Array.from({ length: 7 }, (_, index) => user(`Step ${index} is planned.`));
      const text = await answer([...said, user(question)]);
      expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual(
        [2, 3, 4, 5, 6].map((step) => `- you: Step ${step} is planned.`),
      );
    },
  );

  it('recounts nothing for a greeting', async () => {
    expect(await answer([user('Step 1 is planned.'), user('How are you?')])).not.toContain('Step 1');
  });

  it('quotes tools too', async () => {
    expect(await answer(ask('invoices.sql?'))).toContain('- tool: invoices.sql');
  });

  it('makes nothing up when the session does not know', async () => {
    const text = await answer(ask('Zebras?'));
    expect(text).toContain('This session says nothing about your question yet. What you wrote is kept.');
    expect(text).not.toContain('Postgres');
  });

  it('is not led astray by the words that every question has', async () => {
    expect(await answer(ask('What is the weather that you have?'))).toContain(
      'says nothing about your question',
    );
    expect(
      await answer([
        { role: 'user', content: 'The CI is red.' },
        { role: 'user', content: 'How is the CI?' },
      ]),
    ).toContain('- you: The CI is red.');
  });

  it.each(['hello', 'Hello!', 'Thanks', 'hi there', 'We moved to Postgres 17.', 'Lunch was good.'])(
    'quotes nothing for %j',
    async (said) => {
      const text = await answer(ask(said));
      expect(text).not.toContain('- ');
      expect(text).toContain('What you wrote is kept.');
      expect(text).not.toContain('your question');
    },
  );

  it('finds messages in the words of the question, however short, and leaves out poor matches', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'We use Postgres 16 for the orders.' },
      { role: 'user', content: 'Who owns billing?' },
      { role: 'user', content: 'The ports of the database are open to us.' },
    ];
    const asked = async (content: string) =>
      (await answer([...messages, { role: 'user', content }])).match(/^- .*/gm);
    expect(await asked('What do we use?')).toEqual(['- you: We use Postgres 16 for the orders.']);
    expect(await asked('Which port of the database is open?')).toEqual([
      '- you: The ports of the database are open to us.',
    ]);
    expect(await asked('Which database do we use?')).toContain('- you: We use Postgres 16 for the orders.');
  });

  it('says of each quote where it comes from', async () => {
    const quotes = [
      { who: 'you', text: 'a' },
      { who: 'you, in s2', text: 'b', from: 'other sessions' },
      { who: 'fact', text: 'c', from: 'project memory' },
      { who: 'open', text: 'd', from: 'work' },
    ] as const;
    const said = async (...some: number[]) => {
      const one = createOfflineModel({ quote: () => some.map((index) => quotes[index]!) });
      const messages: ModelMessage[] = [
        { role: 'assistant', content: 'offline: x' },
        { role: 'user', content: 'a b c d?' },
      ];
      return (await generateText({ model: one, messages })).text;
    };
    expect(await said(1)).toBe(
      '(offline) Here is what other sessions of this project say about it:\n\n- you, in s2: b',
    );
    expect((await said(0, 1, 2, 3)).match(/^.*:$/gm)).toEqual([
      '(offline) Here is what this session says about your question:',
      "Here is what the project's memory says about it:",
      'Here is what other sessions of this project say about it:',
      'Here is where the work stands:',
    ]);
  });

  it('does not quote its own answers or the instructions', async () => {
    const first = await answer(ask('Which port does Postgres have?'));
    const second = await generateText({
      model,
      instructions: 'Postgres questions are secret.',
      messages: [
        ...ask('Which port does Postgres have?'),
        { role: 'assistant', content: first },
        { role: 'user', content: 'The Postgres port again?' },
      ],
    });
    expect(second.text).not.toContain('- assistant: offline');
    expect(second.text).not.toContain('secret');
  });

  it('says how to connect a model once in a conversation, and after that only that it is offline', async () => {
    const messages: ModelMessage[] = [];
    const said: string[] = [];
    for (const question of ['The port is 5433.', 'Which port?', 'The port again?']) {
      messages.push({ role: 'user', content: question });
      said.push(await answer(messages));
      messages.push({ role: 'assistant', content: said.at(-1)! });
    }
    expect(said.map((text) => text.includes('To connect a model'))).toEqual([true, false, false]);
    expect(said[1]).toBe(
      '(offline) Here is what this session says about your question:\n\n- you: The port is 5433.',
    );
    // Neither form is quoted, and the first two messages are not said to be the model's.
    expect(said[2]!.match(/^- /gm)).toHaveLength(2);
    expect(said[2]).not.toContain('- assistant');
    // What a person writes in those words is theirs.
    expect(
      await answer([
        { role: 'user', content: '(offline) mode has port 1' },
        { role: 'user', content: 'port?' },
      ]),
    ).toContain('- you: (offline) mode has port 1');
  });

  it('finds text without spaces', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: '数据库的端口是5433。午饭在十二点。' },
      { role: 'user', content: '数据库端口是多少？' },
    ];
    expect(await answer(messages)).toContain('- you: 数据库的端口是5433。');
  });

  it('quotes at most five sentences, each short, and cuts no character in half', async () => {
    const long = `apple ${'🍏'.repeat(400)}`;
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: `${Array.from({ length: 50 }, (_, n) => `Apple ${n + 100} fell.`).join(' ')}\n${long}`,
      },
      { role: 'user', content: 'apple' },
    ];
    const text = await answer(messages);
    expect(text.match(/^- you/gm)).toHaveLength(5);
    expect(text.isWellFormed()).toBe(true);
  });

  it('streams the same answer', async () => {
    const messages = ask('Which port does Postgres have?');
    const { text, finishReason, errors } = await readStream(streamText({ model, messages }).stream);
    expect({ text, finishReason, errors }).toEqual({
      text: await answer(messages),
      finishReason: 'stop',
      errors: [],
    });
  });

  it('can be given other places to look', async () => {
    const remembering = createOfflineModel({
      quote: (question) => [{ who: 'memory', text: `about ${question}` }],
    });
    expect((await generateText({ model: remembering, prompt: 'ports' })).text).toContain(
      '- memory: about ports',
    );
  });

  it('can be stopped, and answers an empty conversation', async () => {
    await expect(
      generateText({ model, messages: ask('x'), abortSignal: AbortSignal.abort() }),
    ).rejects.toThrow();
    expect((await model.doGenerate({ prompt: [] })).content).toHaveLength(1);
  });

  it('is the default without settings, without a network and with a usage', async () => {
    const fetch = () => Promise.reject(new Error('no network'));
    const opened = await openModel(undefined, { env: {}, fetch });
    expect(opened).toMatchObject({ id: 'offline:quotes', provider: 'offline' });
    expect(opened).not.toHaveProperty('pickedBy');

    const schema = z.object({ city: z.string() });
    const messages = ask('Which port?');
    const generated = await generate({
      model: opened,
      messages,
      maxOutputTokens: 500,
      timeoutMs: 5_000,
      schema,
    });
    expect(generated.usage.inputTokens).toBeGreaterThan(0);
    expect(generated).not.toHaveProperty('object');
  });
});
