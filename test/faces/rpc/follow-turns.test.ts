import { expect, it } from 'vitest';
import { createConnection } from '../../../src/faces/rpc/connection.ts';
import { followTurns } from '../../../src/faces/rpc/follow-turns.ts';
import type { LiveNote, Runs } from '../../../src/operations/runs/runs.ts';

it('tells a client that was away for more than it keeps that the turn is over', async () => {
  let hear: (note: LiveNote) => void = () => {};
  const runs = {
    listen(_, listener) {
      hear = listener;
      return () => {};
    },
    soFar: () => undefined,
  } as Partial<Runs> as Runs;
  const waiting: (() => void)[] = [];
  const told: string[] = [];
  const connection = createConnection((text, sent) => {
    told.push(text);
    waiting.push(sent);
  });
  const idle = Promise.withResolvers<void>();
  const turns = followTurns(runs, connection, { onIdle: idle.resolve });
  turns.follow('s', 't');
  connection.send('x'.repeat(1024 * 1024 + 1));
  const note = (index: number, event: object) =>
    hear({ sessionId: 's', turn: 't', index, event } as unknown as LiveNote);
  for (let index = 1; index <= 3000; index++) note(index, { type: 'request-start' });
  note(3001, { type: 'turn-end' });
  expect(turns.active).toBe(true);
  for (const sent of waiting.splice(0)) sent();
  await idle.promise;
  expect(told.length).toBeLessThan(1100);
  expect(told.at(-1)).toContain('turn-end');
  expect(turns.active).toBe(false);
});

it('puts an event into words once, however many look on', () => {
  const hearing: ((note: LiveNote) => void)[] = [];
  const runs = {
    listen(_, listener) {
      hearing.push(listener);
      return () => {};
    },
    soFar: () => undefined,
  } as Partial<Runs> as Runs;
  const told = Array.from({ length: 5 }, () => [] as string[]);
  for (const texts of told) {
    const connection = createConnection((text) => texts.push(text));
    followTurns(runs, connection, { onIdle() {} }).watch('s');
  }
  let times = 0;
  const event = { type: 'text-delta', toJSON: () => ({ type: 'text-delta', text: `${++times}` }) };
  for (const index of [1, 2]) {
    const note = { sessionId: 's', turn: 't', index, event } as unknown as LiveNote;
    for (const hear of hearing) hear(note);
  }
  expect(times).toBe(2);
  for (const texts of told) expect(texts).toEqual(told[0]);
  expect(JSON.parse(told[0]![1]!)).toMatchObject({ method: 'ai/session/event', params: { index: 2 } });
});
