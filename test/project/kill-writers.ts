import { expect } from 'vitest';
import { listProjects, readMemory } from '../../src/project/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { type Child, startChild, tempFolder } from '../flows/child.ts';

export interface Acknowledged {
  readonly id: string;
  readonly text: string;
}

export function startWriter(args: readonly string[]): Child {
  return startChild('../project/add-many.ts', args);
}

/** The facts that a writer was told are written. */
export function acknowledged({ lines }: Child): Acknowledged[] {
  return lines.flatMap((line) => {
    const [, id, text] = /^added (\S+) (.*)$/.exec(line) ?? [];
    return id && text ? [{ id, text }] : [];
  });
}

/**
 * Kills writers of one memory, one after the other, and checks that it has every fact they were told is written, with
 * all its words, and nothing in halves.
 */
export async function killWriters(kills: number): Promise<void> {
  using temp = tempFolder();
  const file = temp.file('store.db');
  const written: Acknowledged[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const child = startWriter([file, temp.path, `Writer ${kill}`, 'Infinity']);
    // The first one of a few dies while it makes the project, the others somewhere in their writes.
    await child.line(kill % 4 === 0 ? 'ready' : 'added');
    await new Promise((resolve) => setTimeout(resolve, (kill * 17) % 60));
    child.process.kill('SIGKILL');
    await child.ended;
    written.push(...acknowledged(child));
  }
  expect(written.length).toBeGreaterThan(kills);
  await using store = await openSqliteStore(file);
  const projects = await listProjects(store);
  expect(projects).toHaveLength(1);
  const { facts } = await readMemory(store, projects[0]!);
  expect(written.filter(({ id, text }) => facts.get(id)?.text !== text)).toEqual([]);
  expect([...facts.values()].every(({ text, source }) => text !== '' && source.by === 'agent')).toBe(true);
  expect((await store.verify()).problems).toEqual([]);
}
