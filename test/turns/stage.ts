import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { giveConsent } from '../../src/agent/index.ts';
import { createSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { until } from '../faces/rpc/conversations.ts';
import { askedFor, SUMMARY } from '../flows/chat-model.ts';
import { tempFolder } from '../flows/child.ts';
import {
  callTool,
  drop,
  held,
  overflow,
  pause,
  rateLimited,
  reply,
  replyObject,
  type Step,
  serverError,
  unauthorized,
} from '../support/wire-script.ts';
import { startWireServer, type WireRequest, type WireServer } from '../support/wire-server.ts';
import type { Cause, Row } from './table.ts';

/** What continues a turn: both have to do the same. */
export type Way = 'continue' | 'retry';

/** A row in a session of its own. */
export interface Case {
  readonly row: Row;
  readonly way: Way;
  readonly session: string;
  readonly first: string;
  readonly second: string;
}

const HALF = 'Alpha beta gamma';
const STORY = `${HALF} delta epsilon zeta eta theta iota kappa lambda.`;
export const WHOLE = 'A whole answer.';

/**
 * Where rows are played: a store with a session for each case, a provider that brings each turn to its place and holds it
 * there, and tools that count how often they run.
 */
export interface Stage extends AsyncDisposable {
  readonly home: string;
  readonly location: string;
  readonly agent: string;
  readonly model: WireServer;
  /** The environment of every process on the stage. */
  readonly env: Readonly<Record<string, string>>;
  /** The store as another process sees it. */
  readonly store: Store;
  /** Resolves once the first turn of the case is where the row wants it. */
  atPlace(one: Case): Promise<void>;
  /** The provider goes on, and so do tools. */
  release(one: Case): void;
  /** From here on the provider answers everything. */
  mend(): void;
  runs(one: Case): number;
  /** Whether the provider was sent a part of an answer that was cut, in a request for that answer. */
  wasSentHalf(one: Case): boolean;
}

export async function setStage(cases: readonly Case[]): Promise<Stage> {
  const folder = tempFolder();
  const home = folder.path;
  const location = path.join(home, '.throughline', 'throughline.db');
  const agent = path.join(import.meta.dirname, 'tool-agent.mjs');
  mkdirSync(path.dirname(location));
  await giveConsent(agent, { list: path.join(home, '.throughline', 'agents.jsonl') });
  const store = await openSqliteStore(location);
  const gates = new Map(cases.map(({ session }) => [session, Promise.withResolvers<void>()]));
  let isMended = false;
  const model = await startWireServer('openai-chat', (request) => {
    if (askedFor(request) === 'summary') return replyObject(SUMMARY);
    const one = caseOf(request, cases);
    if (!one || isMended || lastQuestion(request).includes(one.second)) return reply(WHOLE);
    return stepFor(one.row, { request, session: one.session, gate: gates.get(one.session)!.promise });
  });
  for (const { session } of cases) {
    const settings = { agentPath: agent, model: model.reference };
    await (await createSession(store, { id: session, agent: 'Painter', settings })).close();
  }
  const file = ({ session }: Case, kind: 'runs' | 'go') => path.join(home, `${session}.${kind}`);
  const runs = (one: Case) =>
    existsSync(file(one, 'runs')) ? readFileSync(file(one, 'runs'), 'utf8').trim().split('\n').length : 0;
  return {
    home,
    location,
    agent,
    model,
    env: { ...model.env, TURN_TABLE_FOLDER: home, HOME: home, TZ: 'UTC' },
    store,
    async atPlace(one) {
      const { place } = one.row;
      const asked = () => model.requests.some((request) => lastQuestion(request).includes(one.first));
      await until(asked);
      if (place === 'look' || place === 'paint') await until(() => runs(one) > 0);
      // What there is of an answer is flushed at least once a second.
      else if (isHeldInTheMiddle(one.row))
        await until(async () =>
          (await store.read(one.session)).some(({ body }) => body.kind === 'run' && body.step === 'partial'),
        );
    },
    release(one) {
      writeFileSync(file(one, 'go'), '');
      gates.get(one.session)!.resolve();
    },
    mend() {
      isMended = true;
    },
    runs,
    wasSentHalf: (one) =>
      model.requests.some(
        (request) =>
          askedFor(request) === 'answer' &&
          lastQuestion(request).includes(one.first) &&
          JSON.stringify(request.body.messages).includes(HALF),
      ),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** With one waiting, the turn before it is in mid-answer wherever the cause can be there. */
function isHeldInTheMiddle({ cause, place }: Row): boolean {
  return place === 'middle' || (place === 'waiting' && FAULTS[cause] === undefined);
}

/** Refusals ask for a wait that is too long, so that they are not repeated. */
const FAULTS: Partial<Record<Cause, Step>> = {
  'status-401': unauthorized(),
  'status-429': rateLimited({ retryAfterSeconds: 120 }),
  'status-500': serverError({ retryAfterSeconds: 120 }),
  overflow: overflow(),
};

interface Moment {
  readonly request: WireRequest;
  readonly session: string;
  readonly gate: Promise<void>;
}

function stepFor(row: Row, { request, session, gate }: Moment): Step {
  const { cause, place } = row;
  const isTool = place === 'look' || place === 'paint';
  const hasResult = request.body.messages.at(-1)?.role === 'tool';
  if (isTool && !hasResult) return callTool(place, { session });
  if (isHeldInTheMiddle(row)) {
    const then = cause === 'cut' ? 'cut' : cause === 'status-500' ? 'fail' : 'whole';
    return pause(reply(STORY), gate, then);
  }
  const fault = FAULTS[cause] ?? (cause === 'cut' ? drop() : undefined);
  return held(fault ?? reply(WHOLE), gate);
}

function lastQuestion({ body }: WireRequest): string {
  const messages = body.messages as { role: string; content: unknown }[];
  return JSON.stringify(messages.findLast(({ role }) => role === 'user') ?? '');
}

function caseOf(request: WireRequest, cases: readonly Case[]): Case | undefined {
  const question = lastQuestion(request);
  return cases.find(({ first, second }) => question.includes(first) || question.includes(second));
}

export function casesOf(rows: readonly Row[], ways: readonly Way[]): Case[] {
  return rows.flatMap((row) =>
    ways.map((way) => {
      const session = `${row.cause}-${row.place}-${way}`;
      return { row, way, session, first: `<${session} first>`, second: `<${session} second>` };
    }),
  );
}
