import { describe, expect, it } from 'vitest';
import { withPlans } from './branches.ts';

describe('throughline lineage', () => {
  it('shows the family: where each branched off, its length, its merges', async () => {
    using machine = await withPlans();
    await machine.json('merge', 'disk', '--yes', '--take', 'ours');
    const { stdout } = await machine.run(['lineage', 'disk']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^#\s+Session\s+From\s+Own\s+Messages\s+Merged\s+Updated\s+Title$/);
    expect(lines[1]).toMatch(/^1\s+main\s+8\s+6\s.*Cache$/);
    expect(lines[2]).toMatch(/^2\s+└ disk\s+fork at 4\s+4\s+7\s+into main\s.*Cache ← this one$/);
    expect(lines).toHaveLength(3);
  });

  it('numbers its lines for the next command', async () => {
    using machine = await withPlans();
    await machine.run(['lineage', 'main']);
    expect((await machine.json<{ session: { id: string } }>('show', '2')).session.id).toBe('disk');
  });

  it('prints a tree with --json', async () => {
    using machine = await withPlans();
    expect(await machine.json('lineage', 'disk')).toMatchObject({
      session: 'disk',
      missing: null,
      root: {
        id: 'main',
        head: 7,
        branchedAt: null,
        entries: 7,
        merges: [],
        children: [{ id: 'disk', relation: 'fork', branchedAt: 4, entries: 4, children: [] }],
      },
    });
  });

  it('fits into a narrow terminal', async () => {
    using machine = await withPlans();
    const { stdout } = await machine.run(['lineage', 'main'], { columns: 60, env: { NO_COLOR: '1' } });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });
});
