import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptySummary } from '../../../../src/record/index.ts';
import { createSession, resumeSession } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { assistant, user } from '../../../../src/testing/index.ts';
import { FORMAT_NAMES, importFile, WRITABLE } from '../../../../src/transcripts/index.ts';
import * as claude from '../../../transcripts/formats/claude-code/lines.ts';
import * as codex from '../../../transcripts/formats/codex/rollouts.ts';
import * as pi from '../../../transcripts/formats/pi/records.ts';
import { createMachine, type Machine } from '../command-line.ts';

interface Imported {
  sessions: { id: string; format: string; file: string; messages: number; added: number }[];
  skipped: { file: string; reason: string }[];
  failed: { file: string; code: string }[];
}

function write(machine: Machine, name: string, text: string): string {
  const file = path.join(machine.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('throughline import', () => {
  it('reports the content of a file, in words and as JSON, and makes the store if there is none', async () => {
    using machine = createMachine();
    const file = write(machine, 'chat.jsonl', claude.branched());
    const { stdout, code } = await machine.run(['import', file]);
    expect(stdout).toContain('claude-code  8 messages, 1 branch  (+11)');
    expect(stdout).toContain('1 session, 11 new entries.');
    expect(code).toBe(0);
    const { sessions } = await machine.json<Imported>('import', file);
    expect(sessions).toEqual([
      {
        id: '6f0d2a3e-0000-4000-8000-000000000001',
        format: 'claude-code',
        file,
        messages: 8,
        toolPairs: 0,
        compactions: 0,
        branches: 1,
        unknownKept: 0,
        damage: 0,
        damageKinds: {},
        added: 0,
      },
    ]);
    const listed = await machine.json<{ id: string; parent?: string; relation?: string }[]>('sessions');
    expect(listed.map(({ relation }) => relation ?? null).sort()).toEqual(['fork', null]);
  });

  it('takes folders, passes by other files, and goes on after a file that fails', async () => {
    using machine = createMachine();
    write(machine, 'in/a.jsonl', pi.tree());
    write(machine, 'in/b.jsonl', codex.ordinary());
    write(machine, 'in/c.json', '{"name":"x"}');
    write(machine, 'in/d.jsonl', '{"throughline":1,"format":99}\n');
    const { stdout, stderr, code } = await machine.run(['import', 'in', '--json']);
    const { sessions, skipped, failed } = JSON.parse(stdout) as Imported;
    expect(sessions.map(({ format }) => format)).toEqual(['pi', 'codex']);
    expect(skipped.map(({ file, reason }) => [path.basename(file), reason])).toEqual([['c.json', 'unknown']]);
    expect(failed).toMatchObject([{ code: 'transcript-newer' }]);
    expect(stderr).toBe('');
    expect(code).toBe(91);
  });

  it.each([
    ['nothing.jsonl', 2, 'There is no file or folder'],
    ['notes.txt', 90, 'is no transcript'],
  ])('reports the error of %s', async (name, exit, words) => {
    using machine = createMachine();
    write(machine, 'notes.txt', 'Buy milk.');
    const { stderr, code } = await machine.run(['import', name]);
    expect(stderr).toContain(words);
    expect(code).toBe(exit);
  });

  it('looks where agents keep their sessions, and asks before it takes them', async () => {
    using machine = createMachine();
    const project = path.join(machine.home, '.claude/projects/-home-sally');
    mkdirSync(project, { recursive: true });
    writeFileSync(path.join(project, 'a.jsonl'), claude.ordinary());
    const refused = await machine.run(['import']);
    expect(refused.stderr).toContain('There are sessions of Claude Code');
    expect(refused.code).toBe(2);
    const { stdout } = await machine.run(['import', '--yes']);
    expect(stdout).toContain('6 messages');
    const asked = await machine.run(['import'], { columns: 100, input: 'n\n' });
    expect(asked.stderr).toContain('Claude Code: 1 file in');
    expect(asked.code).toBe(54);
  });

  it('knows every format by name', async () => {
    using machine = createMachine();
    const { stdout } = await machine.runBare(['import', '--help']);
    for (const name of FORMAT_NAMES) expect(stdout.replace(/\s+/g, ' ')).toContain(name);
    const { code, stderr } = await machine.run(['import', '.', '--format', 'nonsense']);
    expect([code, stderr.includes('throughline, claude-code')]).toEqual([2, true]);
  });

  it('names the files of a folder that are no known transcript, unless there are many', async () => {
    using machine = createMachine();
    write(machine, 'chat.jsonl', codex.ordinary());
    for (const name of ['notes.txt', 'data.json']) write(machine, name, '{"a": 1}');
    const few = await machine.run(['import', '.']);
    expect(few.stdout).toContain('2 files that are no known transcript');
    expect(few.stderr).toMatch(/No known transcript .*\n {2}\S+data\.json\n {2}\S+notes\.txt\n$/);
    for (let n = 0; n < 15; n++) write(machine, `x${n}.json`, '{"a": 1}');
    expect((await machine.run(['import', '.'])).stderr).toContain('and 7 more; --json names all of them.');
  });
});

describe('throughline export', () => {
  /** Imports without the command, which has tests of its own. */
  async function withImported(text: string): Promise<{ machine: Machine; id: string }> {
    const machine = createMachine();
    const file = write(machine, 'chat.jsonl', text);
    let id = '';
    await machine.change(async (store) => {
      const { reports } = await importFile(store, { path: file, size: text.length, mtimeMs: 0, named: true });
      id = reports[0]!.id;
    });
    return { machine, id };
  }

  it('says so when there is nothing to write', async () => {
    using machine = createMachine();
    await machine.session({ id: 'bare' }, async () => {});
    const out = path.join(machine.folder, 'out.jsonl');
    const { stderr } = await machine.run(['export', 'bare', '--format', 'claude-code', '--out', out]);
    expect(stderr).toContain('Nothing was written');
  });

  it.each(WRITABLE)('writes %s, and it can be read again', async (format) => {
    const { machine, id } = await withImported(codex.ordinary());
    using _ = machine;
    const { files } = await machine.json<{ files: { path: string; bytes: number }[] }>(
      ...['export', id, '--format', format, '--out', path.join(machine.folder, 'out/')],
    );
    expect(files.length).toBe({ dagent: 4, army: 5 }[format as string] ?? 1);
    expect(statSync(files[0]!.path).mode & 0o777).toBe(0o600);
    const { reports } = await importFile(createMemoryStore(), {
      path: files[0]!.path,
      size: 1,
      mtimeMs: 0,
      named: true,
    });
    expect(reports[0]?.messages).toBeGreaterThan(2);
  });

  it('prints a single file, and reports entries without a place beside it', async () => {
    const { machine, id } = await withImported(claude.ordinary());
    using _ = machine;
    const { stdout, stderr } = await machine.run(['export', id, '--format', 'codex']);
    expect(stdout).toMatch(/^\{"timestamp":.*"type":"session_meta"/);
    expect(stderr).toContain('had no place in this format');
  });

  it('writes a whole lineage as one document, and reports its content', async () => {
    using machine = createMachine();
    await machine.change(async (store) => {
      await using first = await createSession(store, { id: 'first' });
      await first.append([user('Which port?'), assistant('8080.')]);
      const summary = emptySummary('Ports');
      await using second = await resumeSession(store, first.info, { birth: { id: 'second' }, summary });
      await second.append([user('And the host?'), assistant('heron.')]);
      await first.append([user('Later'), assistant('Yes.')]);
    });
    const { stdout, stderr } = await machine.run(['export', 'second', '--chain']);
    expect(stdout.match(/^\*\*(?:Session ID|You):\*\* .*$/gm)).toEqual([
      '**Session ID:** first',
      '**You:** Which port?',
      '**Session ID:** second',
      '**You:** And the host?',
    ]);
    expect(stdout).toContain('- Ports\n');
    expect(stderr).toContain('2 messages of first came later and led elsewhere.');
    const out = path.join(machine.folder, 'out/');
    const told = await machine.json<object>('export', 'second', '--chain', '--out', out);
    expect(told).toMatchObject({
      format: 'markdown',
      files: [{ path: path.join(out, 'second.chain.md') }],
      chain: [
        { id: 'first', relation: null, from: 1, queries: 1, later: 2 },
        { id: 'second', relation: 'resume', from: 1, queries: 1, later: 0 },
      ],
    });
  });

  it('overwrites on request only', async () => {
    const { machine, id } = await withImported(pi.beside());
    using _ = machine;
    const out = path.join(machine.folder, 'copy.jsonl');
    writeFileSync(out, 'mine');
    const refused = await machine.run(['export', id, '--out', out]);
    expect([refused.code, readFileSync(out, 'utf8')]).toEqual([2, 'mine']);
    await machine.run(['export', id, '--out', out, '--force']);
    expect(readFileSync(out, 'utf8')).toMatch(/^\{"throughline":1/);
  });

  it.each([
    [['--format', 'opencode'], 'No format "opencode" to write'],
    [['--format', 'army'], 'several files'],
    [['--json'], 'needs --out'],
    [['--chain', '--format', 'pi'], 'markdown has'],
    [['--chain', '--alone'], 'cannot be used with'],
  ])('refuses %j', async (options, words) => {
    using machine = createMachine();
    await machine.session({ id: 's' });
    const { stderr, code } = await machine.run(['export', 's', ...options]);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });
});
