import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assistant, user } from '../../../../src/testing/index.ts';
import { createMachine, type Machine } from '../command-line.ts';

const words = 'This has to be handled with care because so many things depend on it. '.repeat(20);

async function withTalk(): Promise<Machine> {
  const machine = createMachine();
  await machine.session({ id: 'talk', settings: { compaction: 'window' } }, async (session) => {
    for (let n = 1; n <= 8; n++) {
      await session.append([
        user(`Please fix src/part-${n}.ts. ${words}`),
        assistant(`Fixed \`src/part-${n}.ts\`. We decided to use plan ${n} instead of waiting. ${words}`),
      ]);
    }
  });
  return machine;
}

interface Draft {
  made: boolean;
  draft: {
    id: string;
    stale: boolean;
    lines: { name: string; text: string; section: string; pinned: boolean }[];
    lost: { name: string; text: string }[];
  };
}

/** An editor that is a program: what it does to the text is a function here. */
function editor(machine: Machine, edit: string): string {
  const folder = path.join(machine.home, 'an editor');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'edit.mjs');
  const script = `import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
const file = process.argv.at(-1);
writeFileSync(${JSON.stringify(path.join(machine.home, 'seen'))}, readFileSync(file, 'utf8'));
const edit = ${edit};
writeFileSync(file, edit(readFileSync(file, 'utf8')));`;
  writeFileSync(file, script);
  return `"${process.execPath}" "${file}" --wait`;
}

/** In a terminal, with the editor, and these answers to the questions. */
async function review(machine: Machine, edit: string, input: string, env: Record<string, string> = {}) {
  const EDITOR = editor(machine, edit);
  return machine.run(['compact', 'talk', '--review'], { columns: 100, input, env: { EDITOR, ...env } });
}

const rootsOf = (machine: Machine) => machine.json<{ status: string }[]>('expand', 'talk');

describe('throughline compact --review', () => {
  it('lets a person edit the draft and puts it in place when they say yes', async () => {
    using machine = await withTalk();
    const edit = `(text) => text
      .replace(/^- (.*part-2.*)$/m, '! $1')
      .replace(/^- .*part-3.*\\n/m, '')
      .replace('## Decisions', '## Pending\\n- Ask Ada about the tide\\n\\n## Decisions')`;
    const { stdout, stderr, code } = await review(machine, edit, 'y\n');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Put it in the place of these messages?')]);
    expect(stdout).toContain('- Ask Ada about the tide');
    expect(stdout).toContain('Summarised 6 messages, kept 10 messages');
    expect(await rootsOf(machine)).toMatchObject([{ status: 'collapsed' }]);
    const shown = await machine.run(['context', 'talk', '--messages']);
    expect(shown.stdout).toContain('Ask Ada about the tide');
  });

  it('keeps the draft with its changes where a person does not say yes, and approves it later', async () => {
    using machine = await withTalk();
    const { stdout } = await review(
      machine,
      `(text) => text.replace('## Decisions', '## Decisions\\n- Ship it')`,
      'n\n',
    );
    expect(stdout).toContain(
      'Nothing was put in place; the draft is kept.\nApprove it: throughline compact talk',
    );
    expect(await rootsOf(machine)).toEqual([]);
    const { draft, made } = await machine.json<Draft>('compact', 'talk', '--review');
    expect([made, draft.lines.some(({ text }) => text === 'Ship it')]).toEqual([false, true]);
    const { summary } = await machine.json<{ summary: string }>('compact', 'talk', '--approve');
    expect(summary).toContain('- Ship it');
    expect(await rootsOf(machine)).toMatchObject([{ status: 'collapsed' }]);
    const again = await machine.run(['compact', 'talk', '--approve']);
    expect([again.code === 0, again.stderr]).toEqual([
      false,
      expect.stringContaining('has no draft summary'),
    ]);
  });

  it('changes nothing when the file is emptied, or the editor fails', async () => {
    using machine = await withTalk();
    const { draft } = await machine.json<Draft>('compact', 'talk', '--review');
    const emptied = await review(machine, `() => ''`, '');
    expect(emptied.stdout).toContain('Nothing was changed; the draft is kept.');
    const deleted = await review(machine, `(text) => (unlinkSync(file), process.exit(0))`, '');
    expect([deleted.code, deleted.stdout]).toEqual([
      0,
      expect.stringContaining('Nothing was changed; the draft is kept.'),
    ]);
    const failed = await review(machine, `() => process.exit(3)`, '');
    expect(failed.stderr).toContain('ended with 3');
    expect(failed.code).not.toBe(0);
    expect((await machine.json<Draft>('compact', 'talk', '--review')).draft).toEqual(draft);
  });

  it('counts changed lines before it asks, so that an editor that wrote something else is noticed', async () => {
    using machine = await withTalk();
    const { draft } = await machine.json<Draft>('compact', 'talk', '--review');
    const same = await review(machine, `(text) => text`, 'n\n');
    expect(same.stderr).toContain(
      'the draft that was there already, as it was left. --again writes it anew.',
    );
    expect(same.stderr).not.toContain('Lines:');
    const edit = `(text) => text.replace(/^- .*part-3.*\\n/m, '').replace(/^- /m, '! ') + '- Ship it\\n'`;
    const some = await review(machine, edit, 'n\n');
    expect(some.stderr).toContain('Lines: 1 dropped, 1 added, 1 pinned.\n');
    const garbage = await review(machine, `() => 'oops\\n'`, 'n\n');
    expect(garbage.stderr).toContain(`Lines: ${draft.lines.length} dropped, 1 added.\n`);
    expect(garbage.stdout).toContain('Write it anew: throughline compact talk --review --again');
    const anew = await machine.json<Draft>('compact', 'talk', '--review', '--again');
    expect(anew.draft.lines).toEqual(draft.lines);
  });

  it('keeps the text of a person where it cannot be read, and says where', async () => {
    using machine = await withTalk();
    const { stderr, code } = await review(machine, `(text) => text.replace('⟦part-1', '⟦part-99')`, 'y\n');
    expect(code).toBe(2);
    expect(stderr).toContain('No line of the draft is called ⟦part-99⟧');
    const [, file = ''] = /kept in (\S+\.md)\./.exec(stderr) ?? [];
    expect(readFileSync(file, 'utf8')).toContain('⟦part-99');
  });

  it('asks $VISUAL before $EDITOR, and shows the entries of each line', async () => {
    using machine = await withTalk();
    const VISUAL = editor(machine, `(text) => text`);
    await machine.run(['compact', 'talk', '--review'], {
      columns: 100,
      input: 'n\n',
      env: { VISUAL, EDITOR: 'false' },
    });
    expect(readFileSync(path.join(machine.home, 'seen'), 'utf8')).toMatch(
      /^- .*part-1\.ts.* ⟦part-\d+: [12](?:, \d+)*⟧$/m,
    );
  });

  it('prints the draft and what can be done with it where no person sits', async () => {
    using machine = await withTalk();
    const { stdout } = await machine.run(['compact', 'talk', '--review'], { env: { EDITOR: 'false' } });
    expect(stdout).toContain('## Decisions');
    expect(stdout).toContain('Approve it: throughline compact talk --approve');
    expect(stdout).toContain('Discard it: throughline compact talk --discard');
    expect(await machine.json('compact', 'talk', '--discard')).toEqual({ discarded: true });
    expect((await machine.json<Draft>('compact', 'talk', '--review')).made).toBe(true);
  });

  it('writes a stale draft anew, and says so; it refuses to approve one', async () => {
    using machine = await withTalk();
    const { draft } = await machine.json<Draft>('compact', 'talk', '--review');
    await machine.run(['pin', 'talk', '3']);
    const refused = await machine.run(['compact', 'talk', '--approve']);
    expect([refused.code, refused.stderr]).toEqual([
      52,
      expect.stringContaining('have changed since it was made'),
    ]);
    const anew = await machine.run(['compact', 'talk', '--review']);
    expect(anew.stderr).toContain('written anew');
    expect((await machine.json<Draft>('compact', 'talk', '--review')).draft.id).not.toBe(draft.id);
  });

  it('goes along with an export in our own format, and can be approved where that is imported', async () => {
    using machine = await withTalk();
    await machine.run(['compact', 'talk', '--review']);
    const file = path.join(machine.folder, 'talk.jsonl');
    await machine.run(['export', 'talk', '--format', 'throughline', '--out', file]);
    using other = createMachine();
    expect((await other.run(['import', file])).code).toBe(0);
    const { made, draft } = await other.json<Draft>('compact', 'talk', '--review');
    expect([made, draft.stale]).toEqual([false, false]);
    expect((await other.run(['compact', 'talk', '--approve'])).code).toBe(0);
    const markdown = await machine.run(['export', 'talk', '--format', 'markdown']);
    expect(markdown.stdout).not.toContain('Draft summary');
  });

  it('is one of several ways, of which one is chosen', async () => {
    using machine = await withTalk();
    const { code, stderr } = await machine.run(['compact', 'talk', '--review', '--approve']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be used with')]);
  });
});

describe('compact review in a chat', () => {
  it('prints the draft of the session where no person sits', async () => {
    using machine = await withTalk();
    const { stdout } = await machine.run(['chat', '--continue', 'talk'], { input: 'compact review\n' });
    expect(stdout).toContain('## Decisions');
    expect(stdout).toContain('Approve it: throughline compact talk --approve');
  });

  it('makes a draft automatically where a person is asked first, and says so', async () => {
    using machine = await withTalk();
    const run = (env: Record<string, string>) =>
      machine.run(['chat', '--continue', 'talk', '--window', '5000', '--preset', 'balanced'], {
        input: 'What is next?\n',
        env,
      });
    const { stderr } = await run({ THROUGHLINE_ASK_FIRST: 'on' });
    expect(stderr).toContain('a draft summary waits');
    expect(await rootsOf(machine)).toEqual([]);
    await run({});
    expect(await rootsOf(machine)).toHaveLength(1);
  });
});
