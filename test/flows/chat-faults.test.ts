import { describe, expect, it } from 'vitest';
import {
  cut,
  hang,
  malformed,
  overflow,
  rateLimited,
  reply,
  type Step,
  serverError,
  unauthorized,
} from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { obligingModel } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';

const story = reply('Once upon a time there was a parser that read every line twice and nobody knew why.');

/** What goes wrong with the first answer, what the person is told, and the code that the chat ends with. */
const FAULTS: [name: string, steps: readonly Step[], told: RegExp, code: number, args?: readonly string[]][] =
  [
    [
      'a wrong key',
      [unauthorized()],
      /⚠ .*(?:key|ANTHROPIC_API_KEY).*Your message is kept; "retry" asks again/i,
      62,
    ],
    ['too many requests', [rateLimited({ retryAfterSeconds: 120 })], /⚠ .*Your message is kept/, 63],
    ['a server that fails', Array.from({ length: 4 }, () => serverError()), /⚠ .*Your message is kept/, 64],
    ['a stream that is cut', [cut(story)], /⚠ .*Your message is kept/, 64],
    ['a server that hangs', [hang()], /⚠ .*Your message is kept/, 65, ['--timeout', '1']],
  ];

describe.concurrent('a provider that does not do what it should', () => {
  it.each(FAULTS)(
    '%s: a clear line, the message kept, the chat alive',
    async (_, steps, told, code, args = []) => {
      using place = createChatPlace();
      const script = obligingModel({ answer: (_request, index) => steps[index] ?? reply('All is well.') });
      await using server = await startWireServer('anthropic', script);
      const ran = await place.talk(['Count to ten', 'Count to eleven', 'exit'], { env: server.env, args });
      expect(ran.stderr).toMatch(told);
      expect(ran.stdout).toContain('All is well.\n');
      expect(ran.code).toBe(code);
      const { entries } = await place.show<{ role?: string }>(idIn(ran));
      expect(entries.filter(({ role }) => role === 'user')).toHaveLength(2);
      // No key is ever shown.
      expect(ran.stderr + ran.stdout).not.toContain(server.key);
    },
  );

  it('that is busy for a moment is asked again', async () => {
    using place = createChatPlace();
    const steps = [rateLimited({ retryAfterSeconds: 1 }), malformed()];
    const script = obligingModel({ answer: (_request, index) => steps[index] ?? reply('At last.') });
    await using server = await startWireServer('anthropic', script);
    const ran = await place.talk(['Hello', 'exit'], { env: server.env });
    expect(ran.stderr).toMatch(/Asking again in 1 s \(1 of 3\)/);
    expect(ran).toMatchObject({ stdout: 'At last.\n', code: 0 });
  });

  it('that says it was too long is asked again with less', async () => {
    using place = createChatPlace();
    const long = Array.from({ length: 4 }, (_, i) => `Part ${i}: ${'words and words '.repeat(200)}`);
    const script = obligingModel({
      answer: (_request, index) =>
        index === 4 ? overflow({ tokens: 5000, limit: 4500 }) : reply(`Fine ${index}.`),
    });
    await using server = await startWireServer('anthropic', script);
    const ran = await place.talk([...long, 'And now?', 'exit'], { env: server.env });
    expect(ran.stdout).toContain('Fine 5.');
    expect(ran.code).toBe(0);
  });

  it('can be asked again when the cause is gone', async () => {
    using place = createChatPlace();
    const script = obligingModel({
      answer: (_request, index) => (index === 0 ? unauthorized() : reply('Ten.')),
    });
    await using server = await startWireServer('anthropic', script);
    const ran = await place.talk(['Count to ten', 'retry', 'exit'], { env: server.env });
    expect(ran).toMatchObject({ stdout: 'Ten.\n', code: 0 });
    const { entries } = await place.show<{ role?: string }>(idIn(ran));
    expect(entries.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  it.each([
    ['length', 'The answer reached the limit of its length and was cut there'],
    ['content-filter', 'A filter of the provider ended the answer before it was complete'],
  ] as const)(
    'that cuts an answer (%s) is named with its reason, also by the next chat',
    async (finish, why) => {
      using place = createChatPlace();
      const script = obligingModel({ answer: () => reply('Once upon a', { finish }) });
      await using server = await startWireServer('anthropic', script);
      const ran = await place.talk(['A story', 'exit'], { env: server.env });
      expect(ran.stderr).toContain(`⚠ ${why}; "retry" asks again.`);
      const next = await place.talk(['exit'], { env: server.env, args: ['--continue', idIn(ran)] });
      expect(next.stderr).toContain(
        `Your last message has no whole answer yet (${why}); "retry" asks again.`,
      );
    },
  );

  it('says so when the answer is empty and asks again, and says when there is nothing to ask again', async () => {
    using place = createChatPlace();
    const script = obligingModel({ answer: (_request, index) => reply(index === 0 ? '' : 'Here.') });
    await using server = await startWireServer('anthropic', script);
    const ran = await place.talk(['Hello', 'retry', 'retry', 'exit'], { env: server.env });
    expect(ran.stderr).toContain('⚠ The answer was empty; "retry" asks again.');
    expect(ran.stderr).toContain('The last answer is whole; there is nothing to ask again.');
    expect(ran).toMatchObject({ stdout: 'Here.\n', code: 0 });
  });
});
