import { describe, expect, it } from 'vitest';
import { assistant, user } from '../../../../src/testing/index.ts';
import { createMachine } from '../command-line.ts';

const words = 'This has to be handled with care because so many things depend on it. '.repeat(20);

async function withTalk() {
  const machine = createMachine();
  await machine.session(
    { id: 'talk', settings: { model: 'anthropic:claude-sonnet-4-5' } },
    async (session) => {
      for (let n = 1; n <= 8; n++) {
        await session.append([
          user(`Please fix src/part-${n}.ts. ${words}`),
          assistant(`Fixed src/part-${n}.ts. We decided to use plan ${n} instead of waiting. ${words}`),
        ]);
      }
    },
  );
  return machine;
}

interface Context {
  window: number;
  tokens: number;
  parts: { part: string; tokens: number }[];
  messages: unknown[];
}

describe('throughline compact, expand and collapse', () => {
  it('says how to make a compaction where there is none, in the chat as in a shell', async () => {
    using machine = await withTalk();
    const { stdout, code } = await machine.run(['expand', 'talk']);
    expect(code).toBe(0);
    expect(stdout).toContain('"compact --here"');
    expect(stdout).toContain('\nthroughline compact talk\n');
  });

  it('shorten what the model sees, and put it back to the byte', async () => {
    using machine = await withTalk();
    const before = await machine.json<Context>('context', 'talk');
    const preview = await machine.json<{ summarised: { messages: number } }>(
      'compact',
      'talk',
      '--keep',
      '4',
      '--preview',
    );
    const result = await machine.json<{
      messagesCompacted: number;
      compactionId: string;
      by: { kind: string };
    }>('compact', 'talk', '--keep', '4');
    expect(result).toMatchObject({ messagesCompacted: 12, by: { kind: 'digest' } });
    expect(preview.summarised.messages).toBe(result.messagesCompacted);

    const compacted = await machine.json<Context>('context', 'talk');
    expect(compacted.tokens).toBeLessThan(before.tokens * 0.7);
    const listed = await machine.json<{ id: string; status: string }[]>('expand', 'talk');
    expect(listed).toMatchObject([{ id: result.compactionId, status: 'collapsed' }]);

    await machine.json('expand', 'talk', '1');
    expect((await machine.json<Context>('context', 'talk')).messages).toEqual(before.messages);
    await machine.json('collapse', 'talk', result.compactionId);
    expect(await machine.json<Context>('context', 'talk')).toEqual(compacted);
  });

  it('report the saved tokens in words, and how to undo it', async () => {
    using machine = await withTalk();
    const { stdout } = await machine.run(['compact', 'talk', '--keep', '4']);
    expect(stdout).toMatch(/Summarised 12 messages, kept 4 messages, saved about [\d,K]+ tokens/);
    expect(stdout).toContain('Undo: throughline expand talk ');
  });

  it('foretell a merge, and the undo that is printed takes it back with the compaction', async () => {
    using machine = createMachine();
    const talk = (id: string) =>
      machine.session({ id }, async (session) => {
        for (let n = 1; n <= 10; n++)
          await session.append([
            user(`Fix src/part-${n}.ts. ${words}`),
            assistant(`Fixed part ${n}. ${words}`),
          ]);
      });
    await talk('talk');
    for (const keep of ['16', '12', '8']) await machine.json('compact', 'talk', '--keep', keep);
    const before = await machine.json<Context>('context', 'talk');
    const { stdout: preview } = await machine.run(['compact', 'talk', '--keep', '4', '--preview']);
    expect(preview).toContain('1 merge of older summaries, one more to write');
    const { stdout } = await machine.run(['compact', 'talk', '--keep', '4']);
    expect(await machine.json<unknown[]>('expand', 'talk')).toHaveLength(5);
    const undo = /Undo: throughline (.*)/.exec(stdout)![1]!.split(' ');
    const undone = await machine.run(undo);
    expect(undone.stdout).toContain('Compaction 4 is expanded');
    expect(undone.stdout).toContain('Compaction 5, which covers it, is expanded with it.');
    expect((await machine.json<Context>('context', 'talk')).messages).toEqual(before.messages);
  });

  it('show the view of the model, also where it differs from the request', async () => {
    using machine = createMachine();
    await machine.session({ id: 'talk' }, async (session) => {
      for (let n = 1; n <= 10; n++)
        await session.append([
          user(`Fix src/part-${n}.ts. ${words}`),
          assistant(`Fixed part ${n}. ${words}`),
        ]);
    });
    for (const keep of ['16', '12', '8', '4']) await machine.json('compact', 'talk', '--keep', keep);
    const said = async (...args: string[]) => (await machine.run(args)).stdout;
    const standing = async () =>
      (await machine.json<{ status: string }[]>('expand', 'talk')).map(({ status }) => status);
    expect(await standing()).toEqual(['covered', 'covered', 'covered', 'covered', 'collapsed']);

    expect(await said('collapse', 'talk', '1')).toContain(
      'Compaction 1 is covered: the model sees the summary of compaction 5',
    );
    expect(await said('expand', 'talk', '5')).toContain(
      'Compaction 5 is expanded: the model sees the summaries of compactions 1, 2, 3, 4',
    );
    expect(await standing()).toEqual(['collapsed', 'collapsed', 'collapsed', 'collapsed', 'expanded']);
    expect(await said('expand', 'talk', '1')).toContain(
      'Compaction 1 is expanded: the model sees its originals',
    );
    await machine.json('collapse', 'talk', '5');
    expect(await standing()).toEqual(['covered', 'covered', 'covered', 'covered', 'collapsed']);

    await machine.json('pin', 'talk', '2', '--exclude');
    expect(await said('collapse', 'talk', '5')).toContain('Compaction 5 was removed for good');
    expect((await standing()).at(-1)).toBe('removed');
  });

  it('promise no shorter summary than there may be', async () => {
    using machine = createMachine();
    const names = (n: number) =>
      Array.from({ length: 12 }, (_, index) => `src/room-${n}/shelf-${index}/book-${n * 31 + index}.ts`);
    await machine.session({ id: 'talk' }, async (session) => {
      for (let n = 1; n <= 30; n++)
        await session.append([user(`Look at ${names(n).join(' and ')}.`), assistant(`Looked. ${words}`)]);
    });
    const args = ['compact', 'talk', '--keep', '2'];
    const { summaryTokens } = await machine.json<{ summaryTokens: number }>(...args, '--preview');
    const { compressedTokenCount } = await machine.json<{ compressedTokenCount: number }>(...args);
    expect(summaryTokens).toBe(2_300);
    expect(compressedTokenCount).toBeLessThanOrEqual(summaryTokens);
  });

  it('leave the offline model unasked, and say so', async () => {
    using machine = await withTalk();
    const { stdout, code } = await machine.run(['compact', 'talk', '--keep', '4', '--model', 'offline']);
    expect(code).toBe(0);
    expect(stdout).toContain('by the digest');
    expect(stdout).toContain(
      'The digest wrote the summary, because offline:quotes did not: it only quotes and writes no summaries.',
    );
  });

  it('refuse a model that neither its name nor the session tells a provider of, before anything is summarised', async () => {
    using machine = createMachine();
    await machine.session({ id: 'talk' }, (session) => session.append([user('Hello?'), assistant('Yes.')]));
    for (const more of [[], ['--preview']])
      expect((await machine.run(['compact', 'talk', '--model', 'nope', ...more])).code).toBe(60);
  });

  it('leave a short session alone, with a reason and an exit code', async () => {
    using machine = createMachine();
    await machine.session({ id: 'short' }, (session) => session.append([user('hi'), assistant('hello')]));
    const { stderr, code } = await machine.run(['compact', 'short']);
    expect(stderr).toContain('Nothing to compact');
    expect(stderr).toContain('The newest 20,000 tokens are kept. Keep less with --keep <messages>.');
    expect(code).toBe(50);
    const kept = await machine.run(['compact', 'short', '--keep', '2', '--preview']);
    expect(kept).toMatchObject({ code: 0, stderr: '' });
    expect(kept.stdout).toContain('The newest 2 messages are kept.');
    expect(kept.stdout).not.toContain('--keep');
    expect((await machine.run(['compact', 'short', '--preview', '--json'])).code).toBe(50);
    const least = await machine.run(['compact', 'short', '--keep', '1']);
    expect(least.stderr).toContain('The newest message is kept.');
  });

  it('compact a range that one chooses', async () => {
    using machine = await withTalk();
    await machine.json('compact', 'talk', '--range', '4-7');
    const [only] = await machine.json<{ covers: unknown }[]>('expand', 'talk');
    expect(only!.covers).toEqual({ from: 4, to: 7 });
  });
});

describe('throughline context', () => {
  it('shows a meter whose parts add up to the window', async () => {
    using machine = await withTalk();
    const { window, parts } = await machine.json<Context>('context', 'talk', '--window', '16000');
    expect(window).toBe(16_000);
    expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(16_000);
    const { stdout } = await machine.run(['context', 'talk', '--window', '16000']);
    expect(stdout).toMatch(/^\[.{40}\] [\d.]+ % of 16K tokens/);
    expect(stdout).toContain('messages');
  });

  it('fits a window that is far too small, and says what it did', async () => {
    using machine = await withTalk();
    const { tokens, window } = await machine.json<Context>('context', 'talk', '--window', '2000');
    expect(tokens).toBeLessThanOrEqual(window);
    expect((await machine.run(['context', 'talk', '--window', '2000'])).stdout).toMatch(/To fit|Left out/);
  });

  it('shows what the model saw at an earlier entry, also after a compaction', async () => {
    using machine = await withTalk();
    const then = await machine.json<Context>('context', 'talk', '--at', '9');
    await machine.json('compact', 'talk', '--keep', '2');
    expect(await machine.json<Context>('context', 'talk', '--at', '9')).toEqual(then);
  });

  it('takes a question that was not asked yet', async () => {
    using machine = await withTalk();
    const { messages } = await machine.json<Context>('context', 'talk', '--question', 'what now?');
    expect(JSON.stringify(messages.at(-1))).toContain('what now?');
  });
});

describe('throughline checkpoint and pin', () => {
  it('show the state of the work, its versions and what changed', async () => {
    using machine = await withTalk();
    await machine.json('compact', 'talk', '--keep', '8');
    await machine.json('compact', 'talk', '--keep', '2');
    const history = await machine.json<unknown[]>('checkpoint', 'talk', '--history');
    expect(history).toHaveLength(2);
    const now = await machine.json<{ decisions: { text: string; from: string[] }[] }>('checkpoint', 'talk');
    expect(now.decisions.length).toBeGreaterThan(2);
    expect(now.decisions.every(({ from }) => from.length > 0)).toBe(true);
    const first = await machine.json<{ decisions: unknown[] }>('checkpoint', 'talk', '1');
    expect(first.decisions.length).toBeLessThan(now.decisions.length);
    expect(await machine.json<unknown[]>('checkpoint', 'talk', '--diff', '1', '2')).not.toEqual([]);
    expect(await machine.json('checkpoint', 'talk', '1', '--restore')).toEqual(first);
    expect(await machine.json<unknown[]>('checkpoint', 'talk', '--history')).toHaveLength(3);
  });

  it('keep a pinned entry word for word through a compaction', async () => {
    using machine = await withTalk();
    await machine.json('pin', 'talk', '3');
    await machine.json('compact', 'talk', '--keep', '2');
    const { messages, instructions } = await machine.json<Context & { instructions: string }>(
      'context',
      'talk',
    );
    expect(JSON.stringify([instructions, messages])).toContain(
      'Fixed src/part-1.ts. We decided to use plan 1 instead of waiting.',
    );
    expect(await machine.json('pin', 'talk', '3', '--remove')).toMatchObject({ pinned: [] });
  });

  it('take excluded entries out of the summaries too, and say so; a part of them comes back', async () => {
    using machine = await withTalk();
    await machine.json('compact', 'talk', '--keep', '4');
    const sent = async () => JSON.stringify((await machine.json<Context>('context', 'talk')).messages);
    expect(await sent()).toContain('src/part-2.ts');
    const { stdout } = await machine.run(['pin', 'talk', '4-7', '--exclude']);
    expect(stdout).toContain('left out: entries 4–7');
    expect(stdout).toContain('1 summary that covers this is undone');
    expect(await sent()).not.toMatch(/src\/part-[23].ts/);
    const left = await machine.json('pin', 'talk', '6', '--exclude', '--remove');
    expect(left).toMatchObject({
      excluded: [
        { from: 4, to: 5 },
        { from: 7, to: 7 },
      ],
    });
    expect(await sent()).toContain('Please fix src/part-3.ts');
    expect(await sent()).not.toContain('src/part-2.ts');
  });
});
