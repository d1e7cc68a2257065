import { existsSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runTurn } from '../../../../src/agent/index.ts';
import { createSession, type Session } from '../../../../src/session/index.ts';
import { assistant, setting, user } from '../../../../src/testing/index.ts';
import { createMachine } from '../command-line.ts';

interface Context {
  parts: { part: string; tokens: number }[];
  messages: { role: string; content: { text?: string }[] }[];
  recalled: { entry: string; seq: number }[];
  prefix: string[];
  instructions: string;
}

interface Sent {
  sent?: { entry: string; seq: number; model: string; exact: boolean };
}

const words = 'Nothing in this sentence matters to anybody who reads it. '.repeat(8);

async function withTalk() {
  const machine = createMachine();
  await machine.session({ id: 'talk' }, (session) =>
    session.append([
      user(`The printer in Leeds charges 4711 pounds. ${words}`),
      assistant(`Noted. ${words}`),
      user(`Now the chapter on rivers. ${words}`),
      assistant(`It is drafted. ${words}`),
      user(`And the index of names? ${words}`),
      assistant(`Done. ${words}`),
      user('What did the printer in Leeds charge?'),
    ]),
  );
  return machine;
}

const recallOf = ({ parts }: Context) => parts.find(({ part }) => part === 'recall')!.tokens;

describe('throughline context', () => {
  it('goes by the model that would answer, and says so where none is connected or another is meant', async () => {
    using machine = createMachine();
    const said = (session: Session) => session.append([user('Which port?'), assistant('8080.')]);
    await machine.session({ id: 'talk', settings: { model: 'ollama:codellama' } }, said);
    await machine.session({ id: 'offline', settings: { model: 'offline' } }, said);
    await machine.session({ id: 'keyless', settings: { model: 'gpt-4' } }, said);
    await machine.session({ id: 'imported', settings: { model: 'openrouter:qwen' } }, said);
    await machine.session({ id: 'bare' }, (session) => session.append([user('Which port?')]));
    const told = async (id: string) => {
      const { stdout, stderr } = await machine.run(['context', id]);
      return [/of (\d+K) tokens/.exec(stdout)?.[1], stderr];
    };
    expect(await told('talk')).toEqual(['16K', '']);
    expect(await told('offline')).toEqual(['200K', '']);
    expect(await told('bare')).toEqual(['200K', expect.stringContaining('--model or --window')]);
    expect(await told('keyless')).toEqual([undefined, expect.stringContaining('OpenAI needs a key')]);
    expect((await told('keyless'))[1]).toMatch(/ offline:quotes would answer\.$/m);
    expect(await machine.json('context', 'keyless')).toMatchObject({
      model: 'openai:gpt-4',
      answeredBy: 'offline:quotes',
    });
    expect(await told('imported')).toEqual(['200K', expect.stringContaining('offline:quotes would answer')]);
  });
});

describe('throughline context --model', () => {
  it('refuses an unknown provider, and takes any model of a known one', async () => {
    using machine = await withTalk();
    for (const model of ['foo', 'foo:bar']) {
      const { code, stderr } = await machine.run(['context', 'talk', '--model', model]);
      expect([code, stderr]).toEqual([60, expect.stringContaining('No provider is known')]);
    }
    const told = async (model: string) => {
      const { stdout, stderr } = await machine.run(['context', 'talk', '--model', model]);
      return [/of ([\d.]+[KM]) tokens/.exec(stdout)?.[1], stderr];
    };
    expect(await told('anthropic:brand-new')).toEqual([
      '33K',
      expect.stringContaining('The window of anthropic:brand-new is not known'),
    ]);
    expect(await told('anthropic:claude-opus-4-5')).toEqual(['200K', '']);
    expect(await told('offline')).toEqual(['200K', '']);
    expect(await told('anthropic')).toEqual([expect.not.stringMatching('33K'), '']);
  });
});

describe('throughline context --at', () => {
  it('refuses an entry that is not there', async () => {
    using machine = await withTalk();
    const { code, stderr } = await machine.run(['context', 'talk', '--at', '99']);
    expect([code, stderr]).toEqual([22, expect.stringContaining('goes up to entry 7')]);
    expect((await machine.run(['context', 'talk', '--at', '99', '--window', '9000'])).code).toBe(22);
  });

  it('says when nothing was sent there', async () => {
    using machine = await withTalk();
    const { code, stdout } = await machine.run(['context', 'talk', '--at', '3']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing says what was sent after entry 3, so this is rebuilt/);
    expect((await machine.run(['context', 'talk'])).stdout).not.toContain('rebuilt');
  });

  it('rebuilds with the system prompt that the session had then', async () => {
    using machine = createMachine();
    await machine.session({ id: 'talk', settings: { systemPrompt: 'Speak like a sailor.' } }, (session) =>
      session.append([user('Which port?'), setting('systemPrompt', 'Speak like a judge.'), user('And now?')]),
    );
    const asked = ['--question', 'Where?'];
    for (const more of [[], asked]) {
      const then = await machine.json<Context>('context', 'talk', '--at', '2', ...more);
      expect(then.instructions).toContain('Speak like a sailor.');
      expect(then.instructions).not.toContain('judge');
    }
  });

  it('shows the request of then, and not the one of now', async () => {
    using machine = createMachine();
    await machine.change(async (store) => {
      await using session = await createSession(store, { id: 'talk' });
      const model = 'offline';
      const head = [{ part: 'memory', text: 'The port is 8080.' }];
      const agent = { name: 'Sally', instructions: 'Be brief.' };
      await runTurn(session, 'Which port?', { model, head, agent });
      await runTurn(session, 'And now?', { model, agent });
    });
    const then = await machine.json<Context & Sent>('context', 'talk', '--at', '1');
    expect(then.instructions).toContain('The port is 8080.');
    expect(then.messages.map(({ role }) => role)).toEqual(['user']);
    expect(then.sent).toMatchObject({ seq: 2, model: 'offline:quotes', exact: true });
    const next = await machine.json<Context & Sent>('context', 'talk', '--at', '3');
    expect(next.instructions).not.toContain('8080');
    expect(next.instructions).toContain('Be brief.');
    expect(next.messages).toHaveLength(3);
    const { stdout } = await machine.run(['context', 'talk', '--at', '1']);
    expect(stdout).toContain('Sent to offline:quotes for entry 2, to the byte.');
    // Another window is another question.
    const other = await machine.json<Context & Sent>('context', 'talk', '--at', '1', '--window', '9000');
    expect(other.sent).toBeUndefined();
  });

  it('leaves half an answer out when its question would be asked again', async () => {
    using machine = createMachine();
    await machine.session({ id: 'talk' }, (session) =>
      session.append([user('Which port?'), assistant('It is 80', { status: 'interrupted' })]),
    );
    const again = await machine.json<Context>('context', 'talk');
    expect(again.messages.map(({ role }) => role)).toEqual(['user']);
    const next = await machine.json<Context>('context', 'talk', '--question', 'Go on');
    expect(next.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });
});

describe('throughline context, of a compacted session', () => {
  it('recalls what compacted turns say about the newest question, or about another one', async () => {
    using machine = await withTalk();
    const whole = await machine.json<Context>('context', 'talk');
    expect([recallOf(whole), whole.recalled]).toEqual([0, []]);
    expect(existsSync(machine.storeFile.replace(/\.db$/, '.index.db'))).toBe(false);
    await machine.json('compact', 'talk', '--keep', '1');

    const built = await machine.json<Context>('context', 'talk');
    const first = await machine.json<{ entries: { id: string; seq: number }[] }>(
      'show',
      'talk',
      '--entry',
      '1',
    );
    expect(built.recalled[0]!.entry).toBe(first.entries[0]!.id);
    expect(built.messages.at(-2)!.content[0]!.text).toContain(
      `entry ${first.entries[0]!.id}: The printer in Leeds`,
    );
    expect(recallOf(built)).toBeGreaterThan(50);
    const { stdout } = await machine.run(['context', 'talk']);
    expect(stdout).toMatch(/recall +\d+/);

    const bare = await machine.json<Context>('context', 'talk', '--recall', '0');
    expect(bare.recalled).toEqual([]);
    expect(built.messages.toSpliced(-2, 1)).toEqual(bare.messages);
    expect(built.prefix.slice(0, -2)).toEqual(bare.prefix.slice(0, -1));

    const other = await machine.json<Context>('context', 'talk', '--question', 'How is the index of names?');
    expect(other.messages.at(-2)!.content[0]!.text).toContain('the index of names? Nothing');
    const small = await machine.json<Context>('context', 'talk', '--recall', '150');
    expect(recallOf(small)).toBeGreaterThan(0);
    expect(recallOf(small)).toBeLessThanOrEqual(150);
  });

  it('shows the rest, and says why, when the index cannot be used', async () => {
    using machine = await withTalk();
    await machine.json('compact', 'talk', '--keep', '1');
    mkdirSync(machine.storeFile.replace(/\.db$/, '.index.db'));
    const { code, stdout, stderr } = await machine.run(['context', 'talk']);
    expect(code).toBe(0);
    expect(stdout).toContain('messages');
    expect(stderr).toContain('Nothing was recalled: ');
    expect(recallOf(await machine.json<Context>('context', 'talk'))).toBe(0);
  });
});
