import { existsSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assistant, user } from '../../../src/testing/index.ts';
import { createMachine } from '../command-line.ts';

interface Context {
  parts: { part: string; tokens: number }[];
  messages: { role: string; content: { text?: string }[] }[];
  recalled: { entry: string; seq: number }[];
  prefix: string[];
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
