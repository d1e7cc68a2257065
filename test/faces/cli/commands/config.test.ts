import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMachine } from '../command-line.ts';

interface Shown {
  settings: { name: string; value: string | null; from: string; where: string | null }[];
}

function place(folder: string, text: string): string {
  const file = path.join(folder, '.throughline', 'config.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function shown(machine: ReturnType<typeof createMachine>, env: Record<string, string> = {}) {
  const { stdout, stderr } = await machine.runBare(['config', '--json'], { env });
  if (!stdout) throw new Error(stderr);
  const { settings } = JSON.parse(stdout) as Shown;
  return Object.fromEntries(settings.map(({ name, value, from }) => [name, { value, from }]));
}

describe('throughline config', () => {
  it('asks for nothing: without files everything is as it is meant', async () => {
    using machine = createMachine();
    expect(new Set(Object.values(await shown(machine)).map(({ from }) => from))).toEqual(
      new Set(['default']),
    );
  });

  it('lets the environment decide, then the project, then the home folder', async () => {
    using machine = createMachine();
    place(machine.home, '{ "preset": "army", "model": "openai:one", "timeout": 7 }');
    place(machine.folder, '{ "preset": "repo", "model": "openai:two" }');
    const found = await shown(machine, { THROUGHLINE_MODEL: 'openai:three' });
    expect(found).toMatchObject({
      model: { value: 'openai:three', from: 'environment' },
      preset: { value: 'repo', from: 'project' },
      timeout: { value: '7', from: 'home' },
      window: { value: null, from: 'default' },
    });
  });

  it.each(['store', 'model', 'embedding', 'window'])('sets no empty %s', async (name) => {
    using machine = createMachine();
    const { code, stderr } = await machine.runBare(['config', 'set', name, ' ']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot be the ${name}`)]);
    expect((await shown(machine))[name]).toEqual({ value: null, from: 'default' });
  });

  it("finds the project's file from a folder inside it", async () => {
    using machine = createMachine();
    place(machine.folder, '{ "preset": "repo" }');
    const inside = path.join(machine.folder, 'src', 'deep');
    mkdirSync(inside, { recursive: true });
    const { stdout } = await machine.runBare(['config'], { folder: inside });
    expect(stdout).toContain('repo');
    expect(stdout).toContain(path.join(machine.folder, '.throughline', 'config.json'));
    const [titles, ...rows] = stdout.split('\n');
    expect(titles!.trim().split(/ +/)).toEqual(['Setting', 'Value', 'From', 'About']);
    const row = rows.find((line) => line.startsWith('recall'))!;
    expect(row.split(/ {2,}/).slice(0, 3)).toEqual(['recall', '(2000)', 'default']);
  });

  it('uses the store a file names, seen from where the file is, and says so', async () => {
    using machine = createMachine();
    const file = place(machine.folder, '{ "store": "data/log.db" }');
    const inside = path.join(machine.folder, 'src');
    mkdirSync(inside);
    const { stdout } = await machine.runBare(['overview'], { folder: inside });
    expect(stdout).toContain(path.join(machine.folder, 'data', 'log.db'));
    expect(stdout).toContain(`named by ${file}`);
  });

  it('writes a setting, keeps what else is in the file, and takes it out again', async () => {
    using machine = createMachine();
    const file = place(machine.home, '{ "theirs": [1, 2] }');
    expect((await machine.runBare(['config', 'set', 'preset', 'repo'])).stdout).toContain(file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theirs: [1, 2], preset: 'repo' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await machine.runBare(['config'])).stderr).toContain('theirs');
    await machine.runBare(['config', 'unset', 'preset']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theirs: [1, 2] });
  });

  it.each([
    ['a file that is no JSON', 'not json', 'not a JSON object'],
    ['a list', '[]', 'not a JSON object'],
    ['a preset that does not exist', '{ "preset": "tiny" }', 'one of balanced'],
    ['a window that is no number', '{ "window": "much" }', 'whole number'],
    ['a value of another kind', '{ "model": { "name": "x" } }', 'a text or a number'],
  ])('refuses %s, and names the file', async (_, text, said) => {
    using machine = createMachine();
    const file = place(machine.folder, text);
    const { code, stderr } = await machine.runBare(['sessions']);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stderr).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each([
    [['set', 'colour', 'blue'], 'no setting "colour"'],
    [['set', 'apiKey', 'sk-1'], 'Keys belong in the environment'],
    [['set', 'preset', 'tiny'], 'one of balanced'],
  ])('changes nothing for %j', async (words, said) => {
    using machine = createMachine();
    const { code, stderr } = await machine.runBare(['config', ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});
