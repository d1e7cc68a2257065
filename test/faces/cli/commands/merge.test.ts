import { describe, expect, it } from 'vitest';
import { readCheckpoint } from '../../../../src/compaction/index.ts';
import { parseChoices, parseUnwanted } from '../../../../src/faces/cli/parse-merge.ts';
import type { Entry } from '../../../../src/record/index.ts';
import { EVICTION, FILES, MAP } from '../../../branches/plans.ts';
import type { Machine } from '../command-line.ts';
import { withPlans } from './branches.ts';

async function decisionsOf(machine: Machine): Promise<string[]> {
  await using store = await machine.open();
  return (await readCheckpoint(store, (await store.session('main'))!)).decisions.map(({ text }) => text);
}

async function entriesOf(machine: Machine): Promise<Entry[]> {
  await using store = await machine.open();
  return store.read('main');
}

describe('throughline merge', () => {
  it('shows what would come and how to go on, and writes nothing', async () => {
    using machine = await withPlans();
    const { stdout, stderr, code } = await machine.run(['merge', 'disk']);
    expect(stdout).toMatch(/^disk \(Cache\) into main \(Cache\)\nsince entry 4 of main\n\nComes\n/);
    expect(stdout).toMatch(new RegExp(`^ +\\d+ {2}To do: \\+ ${EVICTION} {2}\\[disk 8\\]$`, 'm'));
    expect(stdout).toContain(`Conflict 1, Decided:`);
    expect(stderr).toMatch(
      /Nothing was written\. 1 conflict to settle: throughline merge disk --into main --plan [0-9a-f]{8} --yes --resolve 1=/,
    );
    expect(code).toBe(0);
    expect(await entriesOf(machine)).toHaveLength(7);
  });

  it('refuses with --yes while a conflict is open', async () => {
    using machine = await withPlans();
    const { stderr, code } = await machine.run(['merge', 'disk', '--yes', '--json']);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'merge-conflict',
      details: { open: [1], conflicts: [{ number: 1 }] },
    });
    expect(code).toBe(35);
    expect(await entriesOf(machine)).toHaveLength(7);
  });

  it.each([
    { args: ['--take', 'theirs'], decided: [FILES] },
    { args: ['--take', 'ours'], decided: [] },
    { args: ['--take', 'theirs', '--resolve', '1=ours'], decided: [] },
  ])('writes one entry with --yes $args', async ({ args, decided }) => {
    using machine = await withPlans();
    const merged = await machine.json<{ entry: string; patch: { added: object } }>(
      'merge',
      'disk',
      '--yes',
      ...args,
    );
    expect(merged).toMatchObject({ merged: true, seq: 8, theirs: { id: 'disk', head: 8 }, open: [] });
    expect(await decisionsOf(machine)).toEqual(decided);
    expect((await entriesOf(machine)).at(-1)).toMatchObject({ body: { kind: 'merge' }, id: merged.entry });
    const { stdout, code } = await machine.run(['merge', 'disk', '--yes']);
    expect({ stdout, code }).toEqual({
      stdout: 'Nothing to merge: main knows all that disk says.\n',
      code: 0,
    });
  });

  it('leaves out declined lines, by number or by list', async () => {
    using machine = await withPlans();
    const { brings } = await machine.json<{ brings: { number: number; text: string }[] }>('merge', 'disk');
    const { number } = brings.find(({ text }) => text === EVICTION)!;
    const { left } = await machine.json<{ left: { list: string; text: string }[] }>(
      'merge',
      'disk',
      '--yes',
      '--take',
      'ours',
      '--leave',
      `${number},facts`,
    );
    expect(left.map(({ text }) => text)).toEqual(expect.arrayContaining([EVICTION, FILES]));
    expect(left.some(({ list }) => list === 'facts')).toBe(true);
    expect(await machine.json('checkpoint', 'main')).toMatchObject({ pending: [], facts: [] });
  });

  it.each([
    { answers: 't\n\ny\n', decided: [FILES], code: 0 },
    { answers: 'what?\nours\n\nyes\n', decided: [], code: 0 },
    { answers: 'b\n99\n1\ny\n', decided: [FILES], code: 0 },
    { answers: 't\n\nn\n', decided: undefined, code: 54 },
    { answers: 'q\n', decided: undefined, code: 54 },
    { answers: '', decided: undefined, code: 54 },
  ])('asks a person in a terminal, and takes $answers for an answer', async ({ answers, decided, code }) => {
    using machine = await withPlans();
    const ran = await machine.run(['merge', 'disk'], {
      columns: 100,
      input: answers,
      env: { NO_COLOR: '1' },
    });
    expect(ran.stderr).toContain(`main    ${MAP}  [main 7]`);
    expect(ran.stderr).toContain('Which holds? [o]urs (main), [t]heirs (disk), [b]oth, [n]ewest, [q]uit:');
    expect(ran.code).toBe(code);
    expect(await entriesOf(machine)).toHaveLength(decided ? 8 : 7);
    if (decided) expect(await decisionsOf(machine)).toEqual(decided);
  });

  it.each([
    { args: ['dis'], says: ['"dis" is the start of the id disk  '] },
    {
      args: ['dis', '--into', 'mai'],
      says: ['"dis" is the start of the id disk  ', '"mai" is the start of the id main  '],
    },
    { args: ['1'], says: ['"1" is the number in the last list of '] },
    { args: ['Keep files'], says: ['"Keep files" is the title or the first question of disk  '] },
    { args: ['disk', '--into', 'main'], says: [] },
  ])(
    'shows a person in a terminal how each session of $args was found, before it asks',
    async ({ args, says }) => {
      using machine = await withPlans();
      await machine.run(['title', 'disk', 'Keep files']);
      await machine.run(['sessions']);
      const { stderr, code } = await machine.run(['merge', ...args], {
        columns: 200,
        input: 'n\n',
        env: { NO_COLOR: '1' },
      });
      const found = stderr.split('\n').filter((line) => / is the (?:start|number|title)/.test(line));
      expect(found.map((line, index) => line.startsWith(says[index] ?? '?'))).toEqual(says.map(() => true));
      expect(stderr.indexOf(found.at(-1) ?? '')).toBeLessThan(stderr.indexOf('[q]uit'));
      expect(code).toBe(54);
      expect(await entriesOf(machine)).toHaveLength(7);
    },
  );

  it('only shows with --preview, also in a terminal', async () => {
    using machine = await withPlans();
    const { stderr, code } = await machine.run(['merge', 'disk', '--preview'], {
      columns: 200,
      env: { NO_COLOR: '1' },
    });
    expect(stderr).toContain('Nothing was written.');
    expect(stderr).not.toContain('Which holds?');
    expect(code).toBe(0);
  });

  it.each([
    { args: ['--take', 'both'], settled: `settled: ${MAP} | ${FILES} (both)` },
    { args: ['--take', 'newest'], settled: ', by newest)' },
    { args: ['--resolve', '1=both', '--leave', 'pending,1'], settled: `${MAP} | ${FILES} (both, by person)` },
  ])('says how to do what the preview of $args shows', async ({ args, settled }) => {
    using machine = await withPlans();
    const { stdout, stderr } = await machine.run(['merge', 'disk', '--preview', ...args]);
    expect(stdout).toContain(settled);
    const [, command] = /To merge it: throughline (.+)$/m.exec(stderr) ?? [];
    const shown = await machine.json<{ patch: object }>('merge', 'disk', '--preview', ...args);
    const merged = await machine.json<{ patch: object }>(...command!.split(' '));
    expect(merged).toMatchObject({ merged: true, patch: shown.patch });
  });

  it('does the previewed merge or nothing', async () => {
    using machine = await withPlans();
    const { plan } = await machine.json<{ plan: string }>('merge', 'disk', '--take', 'ours');
    const { stderr, code } = await machine.run([
      'merge',
      'disk',
      '--yes',
      '--take',
      'ours',
      '--plan',
      '00000000',
    ]);
    expect([stderr, code]).toEqual([expect.stringContaining('Look at it again'), 36]);
    expect(await machine.json('merge', 'disk', '--yes', '--take', 'ours', '--plan', plan)).toMatchObject({
      merged: true,
    });
  });

  it('merges into another session with --into', async () => {
    using machine = await withPlans();
    await machine.run(['fork', 'main', '--id', 'other', '--at', '4']);
    expect(await machine.json('merge', 'main', '--into', 'other', '--yes')).toMatchObject({
      merged: true,
      ours: { id: 'other' },
    });
  });

  it('takes a merge back with --undo', async () => {
    using machine = await withPlans();
    await machine.json('merge', 'disk', '--yes', '--take', 'theirs');
    const { stdout } = await machine.run(['merge', 'disk', '--undo']);
    expect(stdout).toBe('Entry 8 of main is taken back: disk counts as not merged.\n');
    expect(await decisionsOf(machine)).toEqual([]);
    expect((await machine.run(['merge', 'disk', '--undo'])).code).toBe(2);
    expect(await machine.json('merge', 'disk', '--yes', '--take', 'theirs')).toMatchObject({ merged: true });
  });

  it.each([
    { args: ['merge', 'main'], says: 'say which one to merge it into' },
    { args: ['merge', 'disk', '--resolve', '7=ours'], says: 'There is no conflict 7; there are 1.' },
    { args: ['merge', 'disk', '--leave', '99'], says: 'There is no line 99 to leave out' },
  ])('says "$says" after $args', async ({ args, says }) => {
    using machine = await withPlans();
    const { stderr, code } = await machine.run(args);
    expect([stderr, code]).toEqual([expect.stringContaining(says), 2]);
  });

  it('understands its arguments, and refuses the rest', () => {
    const choices = [
      [1, 'ours'],
      [3, 'both'],
      [2, 'theirs'],
    ] as const;
    expect(parseChoices('2=theirs', parseChoices('1=ours, 3 = both'))).toEqual(new Map(choices));
    expect(parseUnwanted('facts', parseUnwanted('2, 5'))).toEqual({ numbers: [2, 5], lists: ['facts'] });
    for (const wrong of ['', '1', '1=mine', 'ours', '=ours', '1=ours,'])
      expect(() => parseChoices(wrong)).toThrow('a side');
    for (const wrong of ['', ',', 'nonsense', '1 nonsense', '-1'])
      expect(() => parseUnwanted(wrong)).toThrow('numbers');
  });
});
