import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ThroughlineError } from '../src/errors.ts';
import { createProgram } from '../src/faces/cli/create-program.ts';
import { sayError } from '../src/faces/cli/print-error.ts';
import { EACH } from './faces/rpc/transports.ts';

const commands = (command: Command): Command[] => [command, ...command.commands.flatMap(commands)];
const all = commands(await createProgram());
const names = all.slice(1).map((command) => command.name());
const options = new Set(all.flatMap((command) => command.options.map(({ long }) => long!)));
/** A command of ours, or one of its options in a sentence. */
const SPEAKS_OF_COMMANDS = new RegExp(
  `throughline (?:${names.join('|')})\\b|\\w,? (?:${[...options].join('|')})(?![\\w-])`,
);

describe('errors of the library', () => {
  // The terminal and the server that agents start have commands; everything below them is used by programs.
  const files = globSync('src/**/*.ts').filter(
    (file) => !/^src\/(?:faces\/(?:cli|mcp)|testing)\//.test(file),
  );

  it.each(files)('%s names no command to programs', (file) => {
    const spoken = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && SPEAKS_OF_COMMANDS.test(line))
      .filter((line) => !DECLARES.test(line))
      .filter((line) => !ALLOWED.some((allowed) => line.includes(allowed)));
    expect(spoken).toEqual([]);
  });

  /** Where an operation declares the `--json` of a command with an option. */
  const DECLARES = /'[\w -]+ --[\w-]+':/;

  /**
   * Commands of other programs, a notice for the person who started the server in a terminal, the pointers of a
   * briefing, which are commands for the agent that goes on, and the help of a command that its operation declares.
   */
  const ALLOWED = [
    'and with --session those of a session.',
    'pi --session',
    'claude --resume',
    '"throughline chat --agent <file>" names a module to run.',
    'git init --bare',
    '{ command: `throughline ',
  ];
});

describe('errors in a terminal', () => {
  it.each([
    ['session-not-found', {}, 'List sessions with "throughline sessions".'],
    ['session-not-found', { trashed: 's' }, '"throughline restore" brings it back.'],
    ['session-not-trashed', { session: 's' }, '"throughline trash s"'],
    ['session-trashed', { session: 's' }, '"throughline restore s"'],
    ['store-damaged', { mend: 'rebuild' }, 'doctor --rebuild'],
    ['store-damaged', {}, 'doctor --salvage'],
    ['store-foreign', { mend: 'salvage' }, 'doctor --salvage'],
    ['usage', { taken: 'file' }, '--force'],
    ['project-not-found', {}, '"throughline projects"'],
  ] as const)('%s with %j names the command that helps', (code, details, hint) => {
    const message = sayError(new ThroughlineError(code, 'It happened.', { details }));
    expect(message).toMatch(/^It happened\. /);
    expect(message).toContain(hint);
  });

  it('name it once', () => {
    const own = 'It happened. Run "throughline doctor".';
    expect(sayError(new ThroughlineError('store-damaged', own))).toBe(own);
  });
});

describe.each(EACH)('errors over %s', (_, open) => {
  it('name no command either', async () => {
    await using line = await open();
    const { client } = line;
    const { id: sessionId } = await client.call('chat/session/create', {});
    const nowhere = '00000000-0000-7000-8000-000000000000';
    const work = { project: 'nowhere', feature: 'f' };
    const wrong: [string, object][] = [
      ['chat/session/get', { sessionId: 'nowhere' }],
      ['chat/session/get', { sessionId: '7' }],
      ['chat/session/delete', { sessionId, purge: true }],
      ['chat/message/get', { sessionId, id: nowhere }],
      ['chat/message/list', {}],
      ['chat/session/fork', { sessionId, at: 99 }],
      ['chat/compaction/get', { id: nowhere }],
      ['ai/context/compact', { chatSessionId: sessionId }],
      ['ai/session/create', { provider: 'nobody' }],
      ['ai/session/create', { model: 'nobody:nothing' }],
      ['ai/session/send', { sessionId: 'gone', content: 'x' }],
      ['search/messages', { query: 'x', sessionId: 'nowhere' }],
      ['memory/get', { project: 'nowhere' }],
      ['memory/retract', { project: 'nowhere', ids: [nowhere] }],
      ['work/feature', work],
      ['work/session', { sessionId: 'nowhere' }],
      ['work/checkpoint', { sessionId }],
      ['work/request', { sessionId: 'nowhere', question: 'x' }],
      ['no/method', {}],
    ];
    for (const [method, params] of wrong) {
      const text = await line.raw(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      const { error } = JSON.parse(text) as { error?: { message: string } };
      expect(error?.message, method).toEqual(expect.any(String));
      expect(error?.message).not.toMatch(SPEAKS_OF_COMMANDS);
    }
  });
});
