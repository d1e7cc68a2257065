import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tools } from '../../examples/agents/workbench.ts';
import { runTurn } from '../../src/agent/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { tempFolder } from '../flows/child.ts';
import { scriptedModel } from './scripted-model.ts';
import { told } from './told.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => {
  folder[Symbol.dispose]();
});

/** Lets the workbench make one call in a folder of its own, and gives its result. */
async function use(name: string, input: unknown, approve?: () => boolean): Promise<string> {
  const session = await createSession(createMemoryStore(), { id: 's' });
  const model = scriptedModel([{ calls: [{ id: 'c', name, input }] }, { text: 'Done.' }]);
  const before = process.cwd;
  // The agent asks for its folder when it is called; a worker of the tests cannot change its own.
  process.cwd = () => folder.path;
  try {
    await runTurn(session, 'Go', { model, tools, ...(approve && { approve }) });
  } finally {
    process.cwd = before;
  }
  return (await told(session)).find((line) => line.startsWith('tool'))!;
}

describe('the workbench', () => {
  it('reads, lists and writes files', async () => {
    writeFileSync(folder.file('a.txt'), 'some text');
    mkdirSync(folder.file('node_modules'));
    writeFileSync(folder.file('node_modules/skip.js'), '');
    expect(await use('write_file', { path: 'deep/b.txt', content: 'new' })).toBe(
      'tool: = Wrote 3 bytes to deep/b.txt.',
    );
    expect(readFileSync(folder.file('deep/b.txt'), 'utf8')).toBe('new');
    expect(await use('read_file', { path: 'a.txt' })).toBe('tool: = some text');
    expect(await use('list_files', {})).toBe('tool: = a.txt\ndeep/b.txt');
  });

  it('gives long files piece by piece', async () => {
    writeFileSync(folder.file('long.txt'), 'word '.repeat(20_000));
    const last = await use('read_file', { path: 'long.txt', offset: 99_990 });
    expect(last).toBe('tool: = word word');
  });

  it.each(['../out.txt', '/etc/passwd', 'link/out.txt', 'link', 'deep/../../out.txt'])(
    'does not reach %s, outside its folder',
    async (file) => {
      using outside = tempFolder();
      writeFileSync(outside.file('out.txt'), 'secret');
      symlinkSync(outside.path, folder.file('link'));
      expect(await use('read_file', { path: file })).toMatch(/^tool: = error .*(?:is outside|EISDIR)/);
      expect(await use('write_file', { path: file, content: 'mine' })).toMatch(/^tool: = error .*is outside/);
      expect(readFileSync(outside.file('out.txt'), 'utf8')).toBe('secret');
    },
  );

  it('runs a command only after an approval', async () => {
    expect(await use('run_command', { command: 'touch ran' })).toMatch(/denied/);
    expect(existsSync(folder.file('ran'))).toBe(false);
    expect(await use('run_command', { command: 'echo out; echo err >&2; exit 3' }, () => true)).toMatch(
      /^tool: = \{"exitCode":3,"output":"(?:out\\nerr|err\\nout)\\n"\}$/,
    );
  });
});
