import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runNode } from './command-line.ts';

/** Says that it is an older Node; parsing is tested with a real one where there is one. */
const PRETEND_OLD = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})`;

const MAIN = `
const [what] = process.argv.slice(2);
if (what === 'exit') process.exitCode = 7;
else if (what === 'die') process.kill(process.pid, 'SIGKILL');
else if (what === 'wait') { console.log('ready'); setInterval(() => {}, 1000); }
else if (what === 'shell') console.log(process.env.THROUGHLINE_SHELL_PID ?? 'none');
else console.log(JSON.stringify({ node: process.versions.node, args: process.argv.slice(2) }));
`;

/** The Nodes of this machine that are too old, if any. */
const oldNodes = [...new Set(['/usr/bin/node', '/usr/local/bin/node', ...nodesInPath()])].filter((node) => {
  const version = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
    .stdout?.split('.')
    .map(Number);
  return (
    version !== undefined &&
    version[0]! >= 14 &&
    (version[0]! < 24 || (version[0] === 24 && version[1]! < 15))
  );
});

function nodesInPath(): string[] {
  return (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
}

const old: [name: string, command: string, args: readonly string[]][] = [
  ['a Node that says it is old', process.execPath, ['--import', PRETEND_OLD]],
  ...oldNodes.map((node): [string, string, readonly string[]] => [`the old ${node}`, node, []]),
];
const all: typeof old = [['this Node', process.execPath, []], ...old];

describe('the launcher', () => {
  let root: string;
  let launcher: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'throughline-launcher-'));
    mkdirSync(path.join(root, 'bin'));
    mkdirSync(path.join(root, 'dist/faces/cli'), { recursive: true });
    writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
    writeFileSync(path.join(root, 'dist/faces/cli/main.js'), MAIN);
    launcher = path.join(root, 'bin/throughline.mjs');
    copyFileSync('bin/throughline.mjs', launcher);
    symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  describe.each(all)('under %s', (_, command, args) => {
    const run = (...words: string[]) => runNode(command, [...args, launcher, ...words]);

    it('runs the command in a Node that is new enough, with its arguments', async () => {
      const { stdout, code } = await run('show', 'a b', '--json', '');
      const ran = JSON.parse(stdout) as { node: string; args: string[] };
      expect(Number(ran.node.split('.')[0])).toBeGreaterThanOrEqual(24);
      expect(ran.args).toEqual(['show', 'a b', '--json', '']);
      expect(code).toBe(0);
    });

    it('ends as the command ends', async () => {
      expect(await run('exit')).toMatchObject({ code: 7, signal: null });
      expect(await run('die')).toMatchObject({ code: null, signal: 'SIGKILL' });
    });

    it('passes signals on', async () => {
      const child = spawn(command, [...args, launcher, 'wait'], { stdio: ['ignore', 'pipe', 'inherit'] });
      child.stdout.once('data', () => child.kill('SIGTERM'));
      const signal = await new Promise((resolve) => child.on('exit', (_code, name) => resolve(name)));
      expect(signal).toBe('SIGTERM');
    });

    it('says what to run when nothing is built yet', async () => {
      rmSync(path.join(root, 'dist'), { recursive: true });
      const { stderr, code } = await run('sessions');
      expect(stderr).toMatch(
        /^Throughline is not built yet\. In .* run "npm install", then "npm start"\.\n$/,
      );
      expect(code).toBe(1);
    });
  });

  describe.each(old)('under %s', (_, command, args) => {
    it('passes on whom it was called by, so that the last list is found again', async () => {
      const { stdout } = await runNode(command, [...args, launcher, 'shell']);
      expect(stdout.trim()).toBe(String(process.pid));
    });

    it('names the required version when there is no newer one', async () => {
      rmSync(path.join(root, 'node_modules'));
      const { stderr, code } = await runNode(command, [...args, launcher, 'sessions']);
      expect(stderr).toMatch(/^Throughline needs Node 24\.15 or newer; this is v/);
      expect(code).toBe(1);
    });
  });

  it('is a file that can be started', () => {
    expect(existsSync('bin/throughline.mjs')).toBe(true);
    if (process.platform !== 'win32') expect(spawnSync('test', ['-x', 'bin/throughline.mjs']).status).toBe(0);
  });
});
