import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { conversation, user } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';
import { said } from '../session/stores.ts';

const ROUNDS = 6;

interface Writer {
  readonly child: ChildProcess;
  readonly lines: string[];
  line(start: string): Promise<string>;
  readonly ended: Promise<number | null>;
}

function startWriter(file: string, name: string, onHeadMoved: string): Writer {
  const script = path.join(import.meta.dirname, 'go-on.ts');
  const child = fork(script, [file, name, onHeadMoved, String(ROUNDS)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const lines: string[] = [];
  const waiting = new Map<string, (line: string) => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    for (const [start, resolve] of waiting) if (line.startsWith(start)) resolve(line);
  });
  return {
    child,
    lines,
    line: (start) => {
      const found = lines.find((line) => line.startsWith(start));
      return found === undefined
        ? new Promise((resolve) => waiting.set(start, resolve))
        : Promise.resolve(found);
    },
    ended: new Promise((resolve) => child.on('close', resolve)),
  };
}

describe('two processes that go on from the same entry', () => {
  it.each([
    { onHeadMoved: 'rebase', outcomes: ['appended', 'rebased'] },
    { onHeadMoved: 'fork', outcomes: ['appended', 'forked'] },
    { onHeadMoved: 'refuse', outcomes: ['appended', 'head-moved'] },
  ])(
    'with $onHeadMoved: one is first, the other gets a report, and nothing is lost',
    async ({ onHeadMoved, outcomes }) => {
      using folder = tempFolder();
      const file = folder.file('store.db');
      {
        await using store = await openSqliteStore(file);
        for (let round = 0; round < ROUNDS; round++)
          await store.create({ id: `shared-${round}` }, conversation(user('What now?')));
      }
      const writers = ['ann', 'ben'].map((name) => startWriter(file, name, onHeadMoved));
      for (let round = 0; round < ROUNDS; round++) {
        await Promise.all(writers.map((writer) => writer.line(`ready ${round} 1`)));
        for (const { child } of writers) child.send('go');
        await Promise.all(writers.map((writer) => writer.line(`landed ${round}`)));
      }
      expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0]);

      await using store = await openSqliteStore(file);
      for (let round = 0; round < ROUNDS; round++) {
        const landed = await Promise.all(writers.map((writer) => writer.line(`landed ${round}`)));
        const told = landed.map((line) => line.split(' ').slice(2));
        expect(told.map(([outcome]) => outcome).sort()).toEqual([...outcomes].sort());
        // Every entry that somebody was told is written is there once, where they were told, the pair side by side.
        for (const [, session, ...ids] of told.filter((words) => words.length > 1)) {
          const entries = await store.read(session!);
          const places = ids.map((id) => entries.findIndex((entry) => entry.id === id));
          expect(places[1]).toBe(places[0]! + 1);
          expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        }
        const talk = said(await store.read(`shared-${round}`));
        expect(talk).toHaveLength(onHeadMoved === 'rebase' ? 5 : 3);
        const { sessions } = await store.list({ parent: `shared-${round}`, limit: 9 });
        expect(sessions).toHaveLength(onHeadMoved === 'fork' ? 1 : 0);
      }
      expect((await store.verify()).problems).toEqual([]);
    },
  );
});
