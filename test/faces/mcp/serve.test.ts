import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { user } from '../../../src/testing/index.ts';
import { createMachine, type Machine, runNode } from '../cli/command-line.ts';
import { connect } from './client.ts';

const BIN = path.resolve('bin/throughline.mjs');

describe('throughline mcp', () => {
  it('serves a store that is not there yet, makes none by looking, and finds it once it is', async () => {
    using machine = createMachine();
    await using agent = await connect(machine);
    expect(await agent.call('sessions')).toEqual({ sessions: [] });
    expect(await agent.call('search', { query: 'port' })).toEqual({ hits: [] });
    expect(await agent.fail('read', { session: 'x' })).toMatchObject({ code: 'session-not-found' });
    expect(existsSync(machine.storeFile)).toBe(false);
    await machine.session({ id: 'talk' }, (session) => session.append([user('The port is 8080.')]));
    expect(await agent.text('search', { query: 'port' })).toContain('8080');
    await machine.change((store) => store.append('talk', [{ body: user('Now the port is 9090.') }]));
    expect(await agent.text('search', { query: 'port' })).toContain('9090');
  });

  it('makes the store for the first thing that is to be remembered', async () => {
    using machine = createMachine();
    await using agent = await connect(machine);
    await agent.call('remember', { fact: 'Tests need Node 24.' });
    expect(existsSync(machine.storeFile)).toBe(true);
    const { contents } = await agent.client.readResource({ uri: 'throughline://memory' });
    expect(JSON.stringify(contents)).toContain('Tests need Node 24.');
    expect(await agent.call('sessions')).toEqual({ sessions: [] });
  });

  it('offers nothing that writes with --read-only', async () => {
    using machine = createMachine();
    await using agent = await connect(machine, ['--read-only']);
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('remember');
    expect(tools).toHaveLength(5);
  });

  it('serves a store that can only be read, with an index in memory', async () => {
    using machine = createMachine();
    await machine.session({ id: 'talk' }, (session) => session.append([user('The port is 8080.')]));
    writtenByNewerVersion(machine.storeFile);
    await using agent = await connect(machine);
    expect(await agent.text('search', { query: 'port' })).toContain('8080');
    expect(await agent.text('recall', { question: 'which port' })).toContain('8080');
    expect(await agent.fail('remember', { fact: 'The port is 9090.' })).toMatchObject({
      code: 'store-read-only',
    });
    expect(readdirSync(path.dirname(machine.storeFile)).filter((file) => file.includes('index'))).toEqual([]);
  });

  it('answers many at once', async () => {
    using machine = createMachine();
    await machine.session({ id: 'talk' }, (session) =>
      session.append(Array.from({ length: 200 }, (_, n) => user(`Note ${n} about the harbour.`))),
    );
    await using agent = await connect(machine);
    const texts = await Promise.all(
      Array.from({ length: 30 }, (_, n) => agent.text('search', { query: `"note ${n} about"` })),
    );
    texts.forEach((text, n) => {
      expect(text).toContain(`Note ${n} about`);
    });
  });

  it('says nothing on stdout but the protocol, speaks to older clients, and ends with its client', async () => {
    using machine = createMachine();
    await machine.session({ id: 'talk' }, (session) => session.append([user('The port is 8080.')]));
    const requests = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'old', version: '1' },
        },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      {
        jsonrpc: '2.0',
        id: 3,
        method: 'tools/call',
        params: { name: 'search', arguments: { query: 'port' } },
      },
      { jsonrpc: '2.0', id: 4, method: 'nonsense' },
    ];
    const { lines, code } = await talk(
      machine,
      ['no json at all', ...requests.map((one) => JSON.stringify(one))],
      4,
    );
    const answers = lines.map((line) => JSON.parse(line));
    expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    const byId = (id: number) => answers.find((answer) => answer.id === id);
    expect(byId(1).result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'throughline' },
    });
    expect(byId(2).result.tools).toHaveLength(6);
    expect(byId(3).result.content[0].text).toContain('8080');
    expect(byId(4).error.code).toBe(-32601);
    expect(code).toBe(0);
  });

  it('refuses a name that cannot be a store before it serves anything', async () => {
    using machine = createMachine();
    const { code, stdout, stderr } = await runNode(process.execPath, [BIN, 'mcp', '--store', 'memory:'], {
      env: { HOME: machine.home },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('the path of a file or a folder, not "memory:"');
  });

  it('says in its help how to register it', async () => {
    const { stdout } = await runNode(process.execPath, [BIN, 'mcp', '--help']);
    for (const words of [
      'claude mcp add',
      'codex mcp add',
      'gemini mcp add',
      '.cursor/mcp.json',
      '.vscode/mcp.json',
    ])
      expect(stdout).toContain(words);
  });
});

/** Such a store opens read-only, also for root. */
function writtenByNewerVersion(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('pragma user_version = 99');
  db.close();
}

/** Writes lines to the server, waits for so many answers, and closes its stdin. */
async function talk(
  machine: Machine,
  lines: readonly string[],
  answers: number,
): Promise<{ lines: string[]; code: number | null }> {
  const child = spawn(process.execPath, [BIN, 'mcp', '--store', machine.storeFile], {
    cwd: machine.folder,
    env: { PATH: process.env.PATH, HOME: machine.home },
  });
  let stdout = '';
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.split('\n').filter((line) => line.includes('"id"')).length >= answers) child.stdin.end();
  });
  child.stdin.write(`${lines.join('\n')}\n`);
  const code = await ended;
  return { lines: stdout.split('\n').filter((line) => line !== ''), code };
}
