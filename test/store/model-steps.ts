import fc from 'fast-check';
import { expect } from 'vitest';
import { type EntryBody, newEntryId, type Parent } from '../../src/record/index.ts';
import type { Store } from '../../src/store/index.ts';
import { user } from '../../src/testing/index.ts';
import { anyBody } from '../record/arbitraries.ts';
import { type NaiveEntry, type NaiveSession, visible } from './naive-session.ts';

export interface Model {
  readonly sessions: Map<string, NaiveSession>;
  readonly purged: Set<string>;
  /** How many were ever created: the order of creation, and a source of new names. */
  created: number;
}

interface Said {
  readonly body: EntryBody;
  /** Few different times, out of order, so that there are ties. */
  readonly at: number;
}

/** Numbers pick among what is there when the step is taken, so every sequence of steps makes sense. */
export type Step =
  | { readonly do: 'create'; readonly at: number; readonly said: readonly Said[] }
  | {
      readonly do: 'fork' | 'resume';
      readonly of: number;
      readonly seq: number;
      readonly at: number;
      readonly said: readonly Said[];
    }
  | {
      readonly do: 'append';
      readonly to: number;
      readonly said: readonly Said[];
      readonly again: readonly number[];
    }
  | { readonly do: 'contradict'; readonly to: number; readonly entry: number; readonly said: readonly Said[] }
  | { readonly do: 'append-stale'; readonly to: number; readonly said: readonly Said[] }
  | { readonly do: 'purge'; readonly of: number }
  | { readonly do: 'rebuild' }
  | { readonly do: 'reopen' };

const at = fc.integer({ min: 1000, max: 1004 });
const some = fc.array(fc.record({ body: anyBody, at }), { maxLength: 4 });
const number = fc.nat(1000);

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create'), at, said: some }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('fork', 'fork', 'resume'),
      of: number,
      seq: number,
      at,
      said: some,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append'),
      to: number,
      said: some,
      again: fc.array(number, { maxLength: 3 }),
    }),
  },
  fc.record({ do: fc.constant('contradict'), to: number, entry: number, said: some }),
  fc.record({ do: fc.constant('append-stale'), to: number, said: some }),
  fc.record({ do: fc.constant('purge'), of: number }),
  fc.constant({ do: 'rebuild' }),
  fc.constant({ do: 'reopen' }),
) as fc.Arbitrary<Step>;

/** Takes the step in the store and in the model, and compares the answers. */
export async function takeStep(
  store: Store,
  model: Model,
  step: Exclude<Step, { do: 'reopen' }>,
): Promise<void> {
  switch (step.do) {
    case 'create':
      return create(store, model, step);
    case 'fork':
    case 'resume': {
      const parent = pick(model, step.of);
      if (!parent) return;
      const seq = step.seq % (visible(parent).length + 1);
      return create(store, model, { ...step, parent: { session: parent.id, relation: step.do, seq } });
    }
    case 'purge':
      return purge(store, model, pick(model, step.of));
    case 'rebuild':
      expect((await store.rebuild()).changed).toEqual([]);
      return;
    default: {
      const session = pick(model, step.to);
      if (session) await append(store, session, step);
    }
  }
}

async function create(
  store: Store,
  model: Model,
  { parent, at: createdAt, said }: { parent?: Parent; at: number; said: readonly Said[] },
): Promise<void> {
  const order = ++model.created;
  const id = `s${order}`;
  const own = named(said);
  const from = parent?.relation === 'fork' ? visible(model.sessions.get(parent.session)!) : [];
  const shared = from.slice(0, parent?.seq);
  await store.create({ id, createdAt, ...(parent && { parent }) }, own);
  model.sessions.set(id, { id, order, createdAt, parent, shared, own });
  await expect(store.create({ id })).rejects.toMatchObject({ code: 'session-exists' });
}

async function append(
  store: Store,
  session: NaiveSession,
  step: Extract<Step, { do: 'append' | 'contradict' | 'append-stale' }>,
): Promise<void> {
  const there = visible(session);
  const fresh = named(step.said);
  if (step.do === 'append-stale') {
    if (fresh.length === 0) return;
    const appending = store.append(session.id, fresh, { expectedHead: there.length + 1 });
    await expect(appending).rejects.toMatchObject({ code: 'head-moved' });
    return;
  }
  if (step.do === 'contradict') {
    if (there.length === 0) return;
    const clash = { id: there[step.entry % there.length]!.id, body: user(`contradiction ${newEntryId()}`) };
    await expect(store.append(session.id, [...fresh, clash])).rejects.toMatchObject({
      code: 'entry-conflict',
    });
    return;
  }
  const repeats = there.length === 0 ? [] : step.again.map((entry) => there[entry % there.length]!);
  const appended = await store.append(session.id, [...repeats, ...fresh], { expectedHead: there.length });
  session.own.push(...fresh);
  const all = visible(session);
  const seqs = [...repeats, ...fresh].map(({ id }) => all.findIndex((entry) => entry.id === id) + 1);
  expect(appended.map(({ seq }) => seq)).toEqual(seqs);
}

async function purge(store: Store, model: Model, session: NaiveSession | undefined): Promise<void> {
  if (!session) return;
  const forks = [...model.sessions.values()]
    .filter(({ parent }) => parent?.relation === 'fork' && parent.session === session.id)
    .map(({ id }) => id);
  if (forks.length > 0) {
    await expect(store.purge(session.id)).rejects.toMatchObject({
      code: 'session-has-forks',
      details: { forks },
    });
    return;
  }
  const { entries } = await store.purge(session.id);
  expect(entries).toBe(session.own.length);
  model.sessions.delete(session.id);
  model.purged.add(session.id);
}

function pick({ sessions }: Model, number: number): NaiveSession | undefined {
  return [...sessions.values()][number % sessions.size];
}

function named(said: readonly Said[]): NaiveEntry[] {
  return said.map((entry) => ({ id: newEntryId(), ...entry }));
}
