import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { addFact, placeFolder } from '../../../../src/project/index.ts';
import { emptySummary } from '../../../../src/record/index.ts';
import { openRecall } from '../../../../src/search/index.ts';
import { compaction, toolCall, toolResult, user } from '../../../../src/testing/index.ts';
import { createMachine, type Machine } from '../command-line.ts';

interface Fact {
  id: string;
  text: string;
  list: string;
  status: string;
  leftOut: string | null;
  sources: { by: string; name?: string; session?: string; entries?: string[] }[];
  contradicts: { id: string; kind: string }[];
}
interface Shown {
  project: { id: string | null; name: string; folder: string };
  budget: { limit: number; used: number; left: number; stored: number; loaded: number };
  facts: Fact[];
  instructions: { name: string; sameAs?: string }[];
  nested: string[];
}
interface Written {
  fact: Fact;
  repeated: boolean;
  contradicts: { id: string; kind: string }[];
  budget: Shown['budget'];
}

const short = ({ id }: { id: string }) => id.slice(-8);

/** Writes a fact about the machine's folder without the command line, which takes its time to start. */
async function known(machine: Machine, text: string): Promise<{ id: string; project: string }> {
  await using store = await machine.open();
  const { project } = await placeFolder(store, machine.folder);
  const written = await addFact(store, project, text, { source: { by: 'person', name: 'Anna' } });
  return { id: written.fact.id, project: written.project.id };
}

describe('throughline memory', () => {
  it('shows nothing, makes nothing and says how to begin', async () => {
    using machine = createMachine();
    const { stdout, code } = await machine.run(['memory']);
    expect([stdout, code]).toEqual([expect.stringContaining('Nothing is known yet.'), 0]);
    expect(await machine.json<Shown>('memory')).toMatchObject({
      project: { id: null, name: 'work' },
      facts: [],
    });
  });

  it('writes down, shows with the budget, and prints what a model is shown', async () => {
    using machine = createMachine();
    writeFileSync(path.join(machine.folder, 'AGENTS.md'), 'Use tabs.\n');
    mkdirSync(path.join(machine.folder, 'api'));
    writeFileSync(path.join(machine.folder, 'api/CLAUDE.md'), 'nested');
    const { fact: port } = await machine.json<Written>('memory', 'add', 'The', 'port', 'is', '8080');
    await machine.run(['memory', 'add', '--decision', 'No ORM']);
    const shown = await machine.json<Shown>('memory');
    expect(shown.facts.map(({ text, list, status }) => [text, list, status])).toEqual([
      ['The port is 8080', 'facts', 'live'],
      ['No ORM', 'decisions', 'live'],
    ]);
    expect(shown.facts[0]!.sources).toMatchObject([{ by: 'person', name: expect.any(String) }]);
    expect(shown.budget).toMatchObject({ limit: 4000, stored: 2, loaded: 2, left: 4000 - shown.budget.used });
    expect([shown.instructions.map(({ name }) => name), shown.nested]).toEqual([
      ['AGENTS.md'],
      ['api/CLAUDE.md'],
    ]);
    const { stdout } = await machine.run(['memory']);
    expect(stdout).toMatch(
      /^work {2}work-[0-9a-f]{8} {2}\/.*\n\[█ +\] \d+ of 4,000 tokens, [\d,]+ left; 2 facts\.\n/,
    );
    expect(stdout).toContain(`  ${short(port)}  The port is 8080\n`);
    const text = await machine.run(['memory', '--text']);
    expect(text.stdout).toContain('## From AGENTS.md\n\nUse tabs.\n');
    expect(text.stdout).toContain(`- The port is 8080 [${short(port)}]`);
  });

  it('keeps old words when a fact is edited or retracted, and shows the history', async () => {
    using machine = createMachine();
    const first = await known(machine, 'The port is 8080');
    const { fact } = await machine.json<Written>('memory', 'edit', short(first), 'The port is 9090');
    await machine.run(['memory', 'retract', short(fact), '--reason', 'No port any more']);
    expect((await machine.json<Shown>('memory')).facts).toEqual([]);
    const lines = await machine.json<{ step: string; text: string; reason?: string }[]>(
      'memory',
      'history',
      short(first),
    );
    expect(lines.map(({ step, text }) => `${step} ${text}`)).toEqual([
      'added The port is 8080',
      'superseded The port is 8080',
      'added The port is 9090',
      'retracted The port is 9090',
    ]);
    expect(lines.at(-1)!.reason).toBe('No port any more');
    const all = await machine.run(['memory', 'history']);
    expect(all.stdout).toContain('because: No port any more');
  });

  it('reports known facts, possible contradictions, and facts over the budget', async () => {
    using machine = createMachine();
    const first = await known(machine, 'The port is 8080');
    const again = await machine.json<Written>('memory', 'add', 'the port is 8080.');
    expect([again.repeated, again.fact.id]).toEqual([true, first.id]);
    const other = await machine.run(['memory', 'add', 'The port is 9090']);
    expect(other.stdout).toContain(`! May contradict ${short(first)}: The port is 8080`);
    await machine.run(['memory', 'budget', '90']);
    const { facts, budget } = await machine.json<Shown>('memory');
    expect([budget.limit, budget.left, budget.stored]).toEqual([90, 0, 2]);
    expect(facts.filter(({ leftOut }) => leftOut === 'over-budget')).toHaveLength(
      budget.stored - budget.loaded,
    );
    const { stdout } = await machine.run(['memory']);
    expect(stdout).toContain('! Over the budget: a model is not shown it.');
  });

  it('takes a session and an entry as the source', async () => {
    using machine = createMachine();
    await machine.session({ id: 'sally', agent: 'Sally' }, (session) =>
      session.append([user('CI needs Java 21')]),
    );
    const { fact } = await machine.json<Written>(
      ...['memory', 'add', 'CI needs Java 21', '--session', 'sally', '--entry', '2'],
    );
    expect(fact.sources).toMatchObject([
      { by: 'agent', name: 'Sally', session: 'sally', entries: [expect.any(String)] },
    ]);
  });

  it('lists, accepts and declines what summaries propose', async () => {
    using machine = createMachine();
    await machine.session({ id: 'sally', project: machine.folder }, async (session) => {
      const [said] = await session.append([user('a'), user('b')]);
      const from = [said!.id];
      const facts = ['CI needs Java 21.', 'Deploys are on Fridays.', 'It rains.'].map((text) => ({
        text,
        from,
      }));
      await session.append([
        compaction({ covers: { from: 2, to: 3 }, summary: { ...emptySummary(), facts } }),
      ]);
    });
    const { proposals } = await machine.json<{ proposals: Fact[] }>('memory', 'proposals');
    const named = (text: string) => short(proposals.find((proposal) => proposal.text === text)!);
    await machine.run(['memory', 'accept', named('CI needs Java 21.')]);
    await machine.run([
      'memory',
      'accept',
      named('Deploys are on Fridays.'),
      '--as',
      'Deploys are on Mondays.',
    ]);
    await machine.run(['memory', 'decline', named('It rains.')]);
    const { facts } = await machine.json<Shown>('memory');
    expect(facts.map(({ text: fact, sources }) => [fact, sources[0]!.by])).toEqual([
      ['CI needs Java 21.', 'summary'],
      ['Deploys are on Mondays.', 'person'],
    ]);
    expect((await machine.json<{ proposals: Fact[] }>('memory', 'proposals')).proposals).toEqual([]);
    expect(
      (await machine.json<{ proposals: Fact[] }>('memory', 'proposals', '--declined')).proposals,
    ).toHaveLength(1);
  });

  it('says who touched a file, when and why, with an index and without one', async () => {
    using machine = createMachine();
    await machine.session({ id: 'sally', project: machine.folder }, (session) =>
      session.append([
        user('Make login work.'),
        toolCall('edit', { file_path: path.join(machine.folder, 'src/auth.ts') }),
        toolResult('edit', 'ok'),
      ]),
    );
    const history = await machine.json<{ touches: unknown[] }>('memory', 'files', 'src');
    expect(history.touches).toMatchObject([
      { session: 'sally', operation: 'edited', path: 'src/auth.ts', request: { text: 'Make login work.' } },
    ]);
    await machine.change(async (store) => {
      await using recall = await openRecall(store);
      await recall.catchUp();
    });
    const { stdout } = await machine.run(['memory', 'files', 'auth.ts'], { folder: machine.folder });
    expect(stdout).toContain('“Make login work.”');
    expect(stdout).toContain('edited  src/auth.ts');
  });

  it.each([
    { args: ['memory', 'edit', 'ffffffff', 'x'], code: 73 },
    { args: ['memory', 'accept', 'ffffffff'], code: 73 },
    { args: ['memory', 'accept'], code: 2 },
    { args: ['memory', 'add', ' '], code: 2 },
    { args: ['memory', '--project', 'nothing'], code: 70 },
    { args: ['memory', 'ad', 'x'], code: 2 },
  ])('fails with $code for $args', async ({ args, code }) => {
    using machine = createMachine();
    await machine.session({ id: 'one' });
    const ran = await machine.run(args);
    expect([ran.code, ran.stdout]).toEqual([code, '']);
  });

  it('stays out of lists and searches of sessions', async () => {
    using machine = createMachine();
    const { project } = await known(machine, 'One');
    expect(await machine.json('sessions')).toEqual([]);
    expect((await machine.run(['show', project.slice(0, 6)])).code).toBe(10);
    expect((await machine.run(['show', project])).stdout).toContain('fact added: One');
  });
});
