import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { listTurns } from '../../src/agent/index.ts';
import { getSession } from '../../src/session/index.ts';
import { until } from '../faces/rpc/conversations.ts';
import { PROGRAM } from '../flows/chat-place.ts';
import { CTRL_C, ENTER, openTerminal } from '../flows/chat-terminal.ts';
import type { StartHost } from './play.ts';
import { type Case, type Stage, WHOLE } from './stage.ts';
import type { Seen } from './table.ts';

/** `throughline chat` in one session. */
interface Chat {
  readonly pid: number;
  /** Everything it has shown so far. */
  text(): string;
  /** A line and the enter key. */
  say(line: string): void;
  interrupt(): void;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Messages can be typed ahead, and Ctrl-C be pressed, in a terminal only. */
export const needsTerminal = ({ cause, place }: Case['row']): boolean =>
  cause === 'cancel' || place === 'waiting';

/** The chat as people use it: a process for each session, in a pipe or in a terminal. */
export const startTerminal: StartHost = async (stage, cases) => {
  const chats = new Map<string, Chat>();
  const caseOf = (session: string) => cases.find((one) => one.session === session)!;
  const end = async (signal: NodeJS.Signals) => {
    await Promise.all([...chats.values()].map((chat) => chat.end(signal)));
  };
  return {
    pids: () => [...chats.values()].map(({ pid }) => pid),
    async send(session, text) {
      const known = chats.get(session);
      if (known) {
        known.say(text);
        await until(() => known.text().includes('(kept; it comes next)'));
        return;
      }
      const chat = await open(stage, caseOf(session));
      chats.set(session, chat);
      chat.say(text);
      await until(async () => (await turnsOf(stage, session)).length > 0);
    },
    cancel: async (session) => chats.get(session)!.interrupt(),
    turns: (session) => turnsOf(stage, session),
    async told(session) {
      const { row } = caseOf(session);
      const { text } = chats.get(session)!;
      const shown = row.cause === 'disk' ? NOT_SAVED : row.cause === 'cancel' ? STOPPED : FAILED;
      const next = row.behind && (row.cause === 'disk' ? [row.told!] : ['complete']);
      const times = next && row.cause === 'disk' ? 2 : 1;
      await until(() => (text().match(shown)?.length ?? 0) >= times);
      if (row.behind === 'complete') await until(() => text().includes(WHOLE));
      return [row.told!, ...(next ?? [])];
    },
    async goOn(session) {
      const [turn] = (await turnsOf(stage, session)).reverse().filter(({ status }) => status !== 'waiting');
      const { text, ended } = pipe(stage, session, 'retry\nexit\n');
      await ended;
      // The chat says on opening that the turn is open, and why.
      const opening = turn!.status === 'complete' ? '' : 'Your last message has no whole answer yet';
      expect(text()).toContain(opening);
      if (turn!.message) expect(text()).toContain(`(it failed: ${turn!.message.replace(/\.$/, '')})`);
      return text().includes(WHOLE) ? 'answered' : 'nothing';
    },
    end,
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
};

const FAILED = /Your message is kept; "retry" asks again/g;
const STOPPED = /\(stopped; what was there is kept/g;
const NOT_SAVED = /is not being saved/g;

/** The command line shows no records, so they are read from the store. */
async function turnsOf({ store }: Stage, session: string): Promise<Seen[]> {
  const records = await listTurns(store, await getSession(store, session));
  return records.reverse().map(({ status, cutBy, error }) => ({
    status,
    cutBy,
    code: error?.code ?? null,
    message: error?.message ?? null,
  }));
}

async function open(stage: Stage, { session, row }: Case): Promise<Chat> {
  if (!needsTerminal(row)) {
    const { child, text, ended } = pipe(stage, session);
    return {
      pid: child.pid!,
      text,
      say: (line) => void child.stdin!.write(`${line}\n`),
      interrupt: () => void child.kill('SIGINT'),
      async end(signal) {
        child.kill(signal);
        await ended;
      },
    };
  }
  const place = {
    folder: stage.home,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...stage.env },
  };
  const terminal = openTerminal(place, ['chat', '--continue', session]);
  await until(() => terminal.text.includes('You: '));
  const pid = await terminal.pid();
  return {
    pid,
    // The terminal wraps lines where it wants.
    text: () => terminal.text.replace(/\s+/g, ' '),
    say: (line) => terminal.type(`${line}${ENTER}`),
    interrupt: () => terminal.type(CTRL_C),
    async end(signal) {
      try {
        process.kill(pid, signal);
      } catch {}
      await terminal.ended;
    },
  };
}

function pipe({ home, env }: Stage, session: string, input?: string) {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, 'chat', '--continue', session], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
  child.stdin!.on('error', () => {});
  if (input !== undefined) child.stdin!.end(input);
  return { child, text: () => shown, ended: once(child, 'close') };
}
