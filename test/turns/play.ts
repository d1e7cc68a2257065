import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { type Case, casesOf, type Stage, setStage, type Way, WHOLE } from './stage.ts';
import { type Row, type Seen, SIGNALS } from './table.ts';

/** A process that runs turns, and what a face lets a client do with it. */
export interface Host extends AsyncDisposable {
  /** Of the processes that write. */
  pids(): readonly number[];
  /** Resolves once the message is acknowledged. */
  send(session: string, text: string): Promise<void>;
  cancel(session: string): Promise<void>;
  /** The turns as the face tells of them, oldest first. */
  turns(session: string): Promise<Seen[]>;
  /** Resolves once so many turns are over in this process, with what clients that look on were told of each. */
  told(session: string, count: number): Promise<string[]>;
  /** Goes on by this way, and resolves once nothing runs or waits. `nothing`: there was nothing to go on with. */
  goOn(session: string, way: Way): Promise<'answered' | 'nothing'>;
  /** Resolves once the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export type StartHost = (stage: Stage, cases: readonly Case[]) => Promise<Host>;

/** What came of a case. */
export interface Outcome {
  /** In the process that it happened in, if that lives and tells of it. */
  readonly here: readonly Seen[] | undefined;
  readonly told: readonly string[] | undefined;
  /** In the next process, before and after going on. */
  readonly there: readonly Seen[];
  readonly goesOn: 'answered' | 'nothing';
  readonly end: readonly Seen[];
  /** Of each question, oldest first; `null` if it has no whole one. */
  readonly answers: readonly (string | null)[];
  readonly runs: number;
  readonly wasSentHalf: boolean;
}

/** Plays the rows of these causes at once: a process, what happens to it, and the next process. */
export async function play(
  rows: readonly Row[],
  start: StartHost,
  { ways, isServer }: { ways: readonly Way[]; isServer: boolean },
): Promise<Map<Case, Outcome>> {
  const cases = casesOf(rows, ways);
  await using stage = await setStage(cases);
  const alive = new Map<Case, Pick<Outcome, 'here' | 'told'>>();
  {
    await using host = await start(stage, cases);
    await bringToPlace(host, stage, cases);
    await happen({ host, stage, cases });
    for (const one of cases) {
      if (one.row.told === undefined) continue;
      const told = await host.told(one.session, one.row.behind ? 2 : 1);
      alive.set(one, { told, here: isServer ? await host.turns(one.session) : undefined });
    }
    await host.end('SIGTERM');
  }
  stage.mend();
  for (const one of cases) stage.release(one);
  await using next = await start(stage, cases);
  const outcomes = await Promise.all(
    cases.map(async (one): Promise<[Case, Outcome]> => {
      const there = await next.turns(one.session);
      const goesOn = await next.goOn(one.session, one.way);
      return [
        one,
        {
          here: alive.get(one)?.here,
          told: alive.get(one)?.told,
          there,
          goesOn,
          end: await next.turns(one.session),
          answers: await answersOf(stage, one),
          runs: stage.runs(one),
          wasSentHalf: stage.wasSentHalf(one),
        },
      ];
    }),
  );
  await next.end('SIGTERM');
  return new Map(outcomes);
}

/** Asks, and resolves once every turn is where its row wants it. */
export async function bringToPlace(host: Host, stage: Stage, cases: readonly Case[]): Promise<void> {
  await Promise.all(
    cases.map(async (one) => {
      await host.send(one.session, one.first);
      await stage.atPlace(one);
      if (one.row.place === 'waiting') await host.send(one.session, one.second);
    }),
  );
}

/** Causes of one play are of one kind: a signal, a full disk, or things that happen to single turns. */
async function happen({
  host,
  stage,
  cases,
}: {
  host: Host;
  stage: Stage;
  cases: readonly Case[];
}): Promise<void> {
  const { cause } = cases[0]!.row;
  const signal = SIGNALS[cause];
  if (signal) return host.end(signal);
  if (cause === 'disk') for (const pid of host.pids()) fillDisk(pid);
  await Promise.all(
    cases.map(async (one) => {
      if (one.row.cause === 'cancel') await host.cancel(one.session);
      else stage.release(one);
    }),
  );
}

/** The limits of another process can be set on Linux only. */
export const CAN_FILL_DISK = process.platform === 'linux';

/** The process can write to no file any more. */
export function fillDisk(pid: number): void {
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=0:']);
}

export function makeRoom(pid: number): void {
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:']);
}

export async function answersOf({ store }: Stage, { session }: Case): Promise<(string | null)[]> {
  const answers: (string | null)[] = [];
  for (const { body } of await store.read(session, { only: 'messages' })) {
    if (body.kind !== 'message') continue;
    if (body.role === 'user') answers.push(null);
    if (body.role !== 'assistant' || body.status === 'interrupted') continue;
    const text = body.parts.map(({ text: said }) => (typeof said === 'string' ? said : '')).join('');
    if (text !== '') answers[answers.length - 1] = text;
  }
  return answers;
}

const COMPLETE: Seen = { status: 'complete', cutBy: null, code: null, message: null };

/** What a message says that waits where nothing runs: acknowledged, and not without a reason. */
const LEFT = { code: 'turn-not-running', message: expect.stringMatching(/ended, or could not write/) };

/** What the table says of a case. */
export function outcomeOf({ row }: Case, { isServer }: { isServer: boolean }): unknown {
  const { status, cutBy, error, behind, goesOn, told, runs = 0 } = row;
  const message = error ? expect.stringMatching(error.says) : null;
  const turn = { status, cutBy, code: error?.code ?? null, message };
  const next: Seen[] = behind ? [{ ...COMPLETE, status: behind, ...(behind === 'waiting' && LEFT) }] : [];
  const turns = [turn, ...next];
  // A full disk holds no record of the reason; the process that met it has it.
  const reason = row.cause === 'disk' && { code: told!, message: expect.any(String) };
  const here = reason ? { ...turn, ...reason, status: 'failed', cutBy: null } : turn;
  const end = goesOn === 'answered' ? [COMPLETE, ...next.map(() => COMPLETE)] : turns;
  return {
    here: told === undefined || !isServer ? undefined : [here, ...next.map((one) => ({ ...one, ...reason }))],
    told:
      told === undefined ? undefined : [told, ...next.map(() => (row.cause === 'disk' ? told : 'complete'))],
    there: turns,
    goesOn,
    end,
    answers: end.map((one) => (one.status === 'complete' ? WHOLE : null)),
    runs,
    wasSentHalf: false,
  };
}
