import { describe, expect, it } from 'vitest';
import { EVICTION, FILES, MAP } from '../../../branches/plans.ts';
import { withPlans } from './branches.ts';

describe('throughline diff', () => {
  it('shows what each branch came to since they parted, and where it was said', async () => {
    using machine = await withPlans();
    const { stdout, code } = await machine.run(['diff', 'main', 'disk']);
    expect(stdout).toMatch(/^main \(Cache\) and disk \(Cache\)\nsince entry 4 of main\n\nDecided\n/);
    expect(stdout).toContain(`  main    + ${MAP}  [main 7]`);
    expect(stdout).toContain(`  disk    + ${FILES}  [disk 7]`);
    expect(stdout).toContain(`  disk    + ${EVICTION}  [disk 8]`);
    expect(stdout).toContain(
      `Conflict 1, Decided: both speak of one thing and say different things of it\n  main    ${MAP}  [main 7]\n  disk    ${FILES}  [disk 7]\n`,
    );
    expect(code).toBe(0);
  });

  it('gives the ids of the entries with --json, and writes nothing', async () => {
    using machine = await withPlans();
    const { entries } = await machine.json<{ entries: { id: string; seq: number }[] }>(
      'show',
      'main',
      '--all',
    );
    const difference = await machine.json<{ changes: { text: string; side: string; sources: unknown[] }[] }>(
      'diff',
      'main',
      'disk',
    );
    expect(difference).toMatchObject({
      ours: { id: 'main', title: 'Cache', head: 7 },
      theirs: { id: 'disk', head: 8 },
      since: { session: 'main', seq: 4, by: 'parting' },
      conflicts: [
        {
          number: 1,
          list: 'decisions',
          about: 'choice',
          base: null,
          ours: { text: MAP },
          theirs: { text: FILES },
        },
      ],
      files: [],
    });
    const said = entries.find(({ seq }) => seq === 7)!;
    const own = difference.changes.find(({ text }) => text === MAP)!;
    expect(own).toMatchObject({ side: 'ours', sources: [{ entry: said.id, session: 'main', seq: 7 }] });
    expect((await machine.json<{ entries: unknown[] }>('show', 'main', '--all')).entries).toHaveLength(
      entries.length,
    );
  });

  it('says so when both say the same', async () => {
    using machine = await withPlans();
    await machine.run(['fork', 'main', '--id', 'same']);
    expect((await machine.run(['diff', 'main', 'same'])).stdout).toContain('Both say the same.');
  });

  it('refuses sessions of two families', async () => {
    using machine = await withPlans();
    await machine.session({ id: 'stranger' });
    const { stderr, code } = await machine.run(['diff', 'main', 'stranger']);
    expect(stderr).toContain('have nothing in common');
    expect(code).toBe(34);
  });
});
