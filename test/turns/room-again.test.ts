import { describe, expect, it } from 'vitest';
import { until } from '../faces/rpc/conversations.ts';
import { startLibrary } from './over-library.ts';
import { startRpc } from './over-rpc.ts';
import { answersOf, bringToPlace, CAN_FILL_DISK, fillDisk, makeRoom } from './play.ts';
import { casesOf, setStage } from './stage.ts';
import { PLACES, ROWS } from './table.ts';

const FACES = { 'a program with the library': startLibrary, 'a server': startRpc };

describe.runIf(CAN_FILL_DISK).concurrent('a full disk that has room again', () => {
  it.for(Object.entries(FACES))(
    'leaves no message without an answer, in the process that met it: %s',
    { timeout: 300_000 },
    async ([, start]) => {
      const cases = casesOf(
        ROWS.filter(({ cause }) => cause === 'disk'),
        ['continue'],
      );
      await using stage = await setStage(cases);
      await using host = await start(stage, cases);
      await bringToPlace(host, stage, cases);
      for (const pid of host.pids()) fillDisk(pid);
      for (const one of cases) stage.release(one);
      for (const one of cases) await host.told(one.session, one.row.behind ? 2 : 1);
      const seen = async () => {
        const turns = (await Promise.all(cases.map((one) => host.turns(one.session)))).flat();
        return turns.map(({ status, cutBy, code }) => ({ status, cutBy, code }));
      };
      const reasons = async () => (await seen()).filter(({ status }) => status === 'waiting');
      // Callers that heard no event are told: no process crashed.
      for (const { status, cutBy, code } of await seen())
        expect({ status, cutBy, code }).toEqual({
          status: status === 'waiting' ? 'waiting' : 'failed',
          cutBy: null,
          code: 'not-saved',
        });
      for (const pid of host.pids()) makeRoom(pid);
      stage.mend();
      // The disk is the reason no more.
      await until(async () => (await reasons()).every(({ code }) => code === 'turn-not-running'));
      // What was in memory is in the log, with the reason or the whole answer.
      for (const { status, cutBy, code } of await seen())
        expect([status, cutBy, code]).toEqual(
          status === 'complete'
            ? ['complete', null, null]
            : [status, null, status === 'waiting' ? 'turn-not-running' : 'not-saved'],
        );
      for (const one of cases) {
        await host.goOn(one.session, one.way);
        const statuses = (await host.turns(one.session)).map(({ status }) => status);
        const name = PLACES[one.row.place];
        expect([name, ...statuses]).toEqual([name, ...statuses.map(() => 'complete')]);
        expect(await answersOf(stage, one)).toEqual(statuses.map(() => expect.any(String)));
        // The result was in memory, so that not even a repeatable tool has to run again.
        expect(stage.runs(one)).toBe(one.row.runs === undefined ? 0 : 1);
      }
      await host.end('SIGTERM');
    },
  );
});
