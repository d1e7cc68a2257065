import { type ChildProcess, spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { hang, reply, stall, trickle } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { obligingModel } from './chat-model.ts';
import { type ChatPlace, createChatPlace, PROGRAM } from './chat-place.ts';
import { ENTER, HAS_TERMINAL, openTerminal } from './chat-terminal.ts';

const story = reply(
  'A story that is told slowly, and that somebody will interrupt before it comes to its end.',
);

/** A chat in a pipe that stays open. */
function startChat(place: ChatPlace, env: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, 'chat'], {
    cwd: place.folder,
    env: { ...place.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('close', (...outcome) => resolve(outcome));
  });
  return { child, ended };
}

interface Shown {
  readonly entries: readonly { kind: string; role?: string; status?: string; parts?: { text?: string }[] }[];
}

describe.concurrent('a chat that is ended in the middle of an answer', () => {
  it.each([
    ['SIGKILL', [null, 'SIGKILL']],
    ['SIGTERM', [143, null]],
    ['SIGHUP', [129, null]],
    ['SIGINT', [130, null]],
  ] as const)(
    'by %s goes on the next time, with the question and what there was of the answer',
    async (signal, outcome) => {
      using place = createChatPlace();
      const script = obligingModel({ answer: (_, index) => (index === 1 ? stall(story) : reply('Well.')) });
      await using server = await startWireServer('anthropic', script);
      const { child, ended } = startChat(place, server.env);
      child.stdin!.write('We use Redis.\nTell me a story\n');
      const seen = Promise.withResolvers<void>();
      let out = '';
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        if (out.includes('A story')) seen.resolve();
      });
      await seen.promise;
      child.kill(signal);
      expect(await ended).toEqual(outcome);

      const again = await place.talk(['retry', 'exit'], { env: server.env });
      expect(again.stderr).toMatch(/Continuing "We use Redis\.", /);
      expect(again.stdout).toBe('Well.\n');
      const [session] = await place.sessions<{ id: string }>();
      const { entries } = await place.show<Shown['entries'][number]>(session!.id);
      expect(entries.filter(({ role }) => role === 'user')).toHaveLength(2);
      // And from its summary too, although it was never left.
      const resumed = await place.talk(['exit'], { args: ['--resume', session!.id] });
      expect(resumed.stdout).toContain('Redis');
    },
  );

  it('before any of it came keeps the question', async () => {
    using place = createChatPlace();
    const script = obligingModel({ answer: (_, index) => (index === 0 ? hang() : reply('Here I am.')) });
    await using server = await startWireServer('anthropic', script);
    const { child, ended } = startChat(place, server.env);
    child.stdin!.write('Are you there?\n');
    await server.received(1);
    child.kill('SIGKILL');
    await ended;
    const again = await place.talk(['retry', 'exit'], { env: server.env });
    expect(again.stderr).toContain('Your last message has no whole answer yet; "retry" asks again.');
    expect(again.stdout).toBe('Here I am.\n');
  });
});

describe.skipIf(!HAS_TERMINAL)('a chat that is asked to end with a message in the queue', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('by %s answers both in order the next time', async (signal) => {
    using place = createChatPlace();
    const script = obligingModel({
      answer: (_, index) => (index === 0 ? stall(story) : reply(`Answer ${index}.`)),
    });
    await using server = await startWireServer('anthropic', script);
    await using terminal = openTerminal(place, [], server.env);
    await terminal.see('You: ');
    const pid = await terminal.pid();
    terminal.type(`Tell me a story${ENTER}`);
    await terminal.see('A story');
    terminal.type(`And another${ENTER}`);
    await terminal.see('(kept; it comes next)');
    process.kill(pid, signal);
    await terminal.ended;
    await gone(pid);
    const again = await place.talk(['exit'], { env: server.env });
    expect(again.stderr).toContain('Your last message has no whole answer yet');
    expect(again.stdout).toBe('Answer 1.\nAnswer 2.\n');
    const [session] = await place.sessions<{ id: string }>();
    const { entries } = await place.show<Shown['entries'][number]>(session!.id);
    const said = entries.flatMap(({ role, status, parts }) =>
      role && status !== 'interrupted' ? [`${role}: ${parts?.map(({ text = '' }) => text).join('')}`] : [],
    );
    expect(said).toEqual([
      'user: Tell me a story',
      'assistant: Answer 1.',
      'user: And another',
      'assistant: Answer 2.',
    ]);
  });
});

describe.skipIf(!HAS_TERMINAL)('a message handed in to an answer', () => {
  it('with /steer reaches the model with its next request, in the same turn', async () => {
    using place = createChatPlace();
    const script = obligingModel({
      answer: (_, index) => (index === 0 ? trickle(story, 60) : reply('In German, then.')),
    });
    await using server = await startWireServer('anthropic', script);
    await using terminal = openTerminal(place, [], server.env);
    await terminal.see('You: ');
    terminal.type(`Tell me a story${ENTER}`);
    await terminal.see('A story');
    terminal.type(`/steer in German, please${ENTER}`);
    await terminal.see('handed in');
    await terminal.see('In German, then.');
    const { messages } = (await server.received(2)).body as { messages: unknown[] };
    expect(JSON.stringify(messages.at(-1))).toContain('in German, please');
  });
});

describe.skipIf(!HAS_TERMINAL)('a terminal that is closed', () => {
  it('leaves a session that goes on', async () => {
    using place = createChatPlace();
    const script = obligingModel({
      answer: (_, index) => (index === 0 ? trickle(story, 200) : reply('Well.')),
    });
    await using server = await startWireServer('anthropic', script);
    const terminal = openTerminal(place, [], server.env);
    await terminal.see('You: ');
    const pid = await terminal.pid();
    terminal.type(`Tell me a story${ENTER}`);
    await terminal.see('A story');
    terminal.close();
    await terminal.ended;
    await gone(pid);
    const again = await place.talk(['retry', 'exit'], { env: server.env });
    expect(again.stderr).toContain('Continuing "Tell me a story"');
    expect(again.stdout).toContain('Well.');
  });
});

/** Resolves when the process is no more. */
async function gone(pid: number): Promise<void> {
  const { setTimeout: wait } = await import('node:timers/promises');
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await wait(20);
  }
}
