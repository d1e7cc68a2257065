// A program that runs turns with the library alone: what it is to do comes as lines of JSON, what it did goes the same way.
import { createInterface } from 'node:readline';
import {
  continueTurn,
  listTurns,
  recoverTurn,
  retryTurn,
  runTurn,
  type TurnOptions,
  useAgent,
} from '../../src/agent/index.ts';
import { isThroughlineError } from '../../src/errors.ts';
import { getSession, openSession, type Session } from '../../src/session/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import type { Way } from './stage.ts';

const [location, agentFile] = process.argv.slice(2) as [string, string];
const store = await openSqliteStore(location);
const sessions = new Map<string, Promise<Session>>();
const stops = new Map<string, AbortController>();
const turns = new Map<string, Promise<string>[]>();
const shutdown = new AbortController();

const open = (id: string) => {
  const opened = sessions.get(id) ?? openSession(store, id);
  sessions.set(id, opened);
  return opened;
};

async function optionsFor(session: Session): Promise<TurnOptions> {
  const agent = await useAgent(session, agentFile);
  return { ...(agent && { agent }), shutdown: shutdown.signal, retry: { times: 1, firstMs: 1 } };
}

const COMMANDS = {
  async send({ session: id, text }: { session: string; text: string }) {
    const session = await open(id);
    const options = await optionsFor(session);
    const stop = new AbortController();
    if (!stops.has(id)) stops.set(id, stop);
    const stored = Promise.withResolvers<void>();
    const onEvent = ({ type }: { type: string }) => type === 'input-stored' && stored.resolve();
    const turn = runTurn(session, text, { ...options, signal: stop.signal, onEvent });
    const told = turn.then(
      ({ status }) => status,
      (error) => {
        stored.reject(error);
        return isThroughlineError(error) ? error.code : String(error);
      },
    );
    turns.set(id, [...(turns.get(id) ?? []), told]);
    await stored.promise;
  },
  told: ({ session }: { session: string }) => Promise.all(turns.get(session)!),
  async cancel({ session }: { session: string }) {
    stops.get(session)!.abort();
  },
  async turns({ session }: { session: string }) {
    const records = await listTurns(store, await getSession(store, session));
    return records.reverse().map(({ status, cutBy, error }) => ({
      status,
      cutBy,
      code: error?.code ?? null,
      message: error?.message ?? null,
    }));
  },
  async goOn({ session: id, way }: { session: string; way: Way }) {
    const session = await open(id);
    const options = await optionsFor(session);
    const { unfinished, waiting } = await recoverTurn(session, { tools: options.agent?.tools });
    try {
      if (way === 'retry') await retryTurn(session, options);
      else if (unfinished) await continueTurn(session, options);
      else if (waiting.length === 0) return 'nothing';
    } catch (error) {
      if (!isThroughlineError(error, 'usage')) throw error;
      return 'nothing';
    }
    for (const input of waiting) await runTurn(session, input, options);
    return 'answered';
  },
};

async function end(): Promise<void> {
  shutdown.abort();
  await Promise.all([...turns.values()].flat());
  // On a full disk a session cannot be closed.
  for (const session of sessions.values()) await (await session).close().catch(() => {});
  process.exit(0);
}
process.once('SIGTERM', () => void end()).once('SIGINT', () => void end());

const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, command, ...params } = JSON.parse(line);
  try {
    say({ id, result: await COMMANDS[command as keyof typeof COMMANDS](params) });
  } catch (error) {
    say({ id, error: String((error as Error).stack) });
  }
});
say({ id: 0 });
