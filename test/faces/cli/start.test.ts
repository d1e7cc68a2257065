import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { user } from '../../../src/testing/index.ts';
import { createMachine } from './command-line.ts';

/** Says on its standard error, at the end, what a process has loaded: packages, files, and how large these are. */
const TELL = `
import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
const packages = new Set();
const files = [];
registerHooks({
  load(url, context, next) {
    const name = url.match(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/)?.[1];
    if (name) packages.add(name);
    if (url.startsWith('file:')) files.push(statSync(fileURLToPath(url)).size);
    return next(url, context);
  },
});
process.on('exit', () => {
  const bytes = files.reduce((sum, size) => sum + size, 0);
  console.error('\\nloaded ' + JSON.stringify({ packages: [...packages], files: files.length, bytes }));
});
`;

async function loadedBy(words: string) {
  using machine = createMachine();
  await machine.session({ id: 'one' }, (session) => session.append([user('What does the parser do?')]));
  const hook = path.join(machine.folder, 'tell.mjs');
  writeFileSync(hook, TELL);
  const { stderr, code } = await machine.run(words.replace('1', 'one').split(' '), {
    env: { NODE_OPTIONS: `--import ${hook}` },
  });
  expect(code).toBe(0);
  return JSON.parse(/^loaded (.*)$/m.exec(stderr)![1]!) as {
    packages: string[];
    files: number;
    bytes: number;
  };
}

it.each([
  ['sessions', 'a list of sessions'],
  ['context 1', 'a context'],
  ['show 1', 'a session'],
  ['search parser', 'a search'],
])(
  '"throughline %s" shows %s without loading a package: the AI SDK and the server take longer than all the rest',
  async (words) => {
    expect((await loadedBy(words)).packages).toEqual([]);
  },
);

/** Code is compiled before it runs: a megabyte takes some twenty milliseconds. */
it.each([
  { words: 'sessions', kilobytes: 950 },
  { words: 'show 1', kilobytes: 980 },
  { words: 'context 1', kilobytes: 1400 },
  { words: 'sessions --help', kilobytes: 800 },
  { words: '--help', kilobytes: 1050 },
])('"throughline $words" reads at most $kilobytes KB of code, in few files', async ({ words, kilobytes }) => {
  const { bytes, files } = await loadedBy(words);
  expect(bytes / 1000).toBeLessThanOrEqual(kilobytes);
  expect(files).toBeLessThanOrEqual(30);
});
