import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactFile } from '../../../src/transcripts/shorten/index.ts';
import { contextOf, createFolder } from './folder.ts';
import { build, steps as someSteps } from './random-tree.ts';

const records = (file: string) =>
  file
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { type: string; id?: string; parentId?: string | null });

describe('any tree of pi', () => {
  it('is still one when it was shortened, and its recent part is what it was', async () => {
    let shortened = 0;
    await fc.assert(
      fc.asyncProperty(
        someSteps,
        fc.nat(4),
        fc.constantFrom('own' as const, 'pair' as const),
        async (steps, keepTurns, style) => {
          const before = build(steps);
          using place = createFolder(before);
          const done = await compactFile(place.file, {
            maxLines: 5,
            keepTurns,
            style,
            archive: place.archive,
          });
          const after = place.read();
          if (done.outcome === 'left') {
            expect(after).toBe(before);
            return;
          }
          shortened++;

          const all = records(after);
          const names = all.flatMap(({ id, type }) => (type === 'session' ? [] : [id]));
          expect(new Set(names).size).toBe(names.length);
          for (const { type, parentId } of all)
            if (type !== 'session' && parentId !== null) expect(names).toContain(parentId);

          const lines = after.split('\n');
          let at = -1;
          for (const line of before.split('\n')) {
            const next = lines.indexOf(line, at + 1);
            if (next >= 0) at = next;
            else expect(line).toMatch(/^\{"type":"(?:message|compaction|custom_message|branch_summary)"/);
          }
          const was = await contextOf('pi', before);
          const is = await contextOf('pi', after);
          expect(is.report.damage).toBe(was.report.damage);
          const own = is.said[0] === 'summary' ? 1 : is.said[0]?.includes('[Session Summary') ? 2 : 0;
          const recent = is.said.slice(own);
          expect(recent).toEqual(recent.length === 0 ? [] : was.said.slice(-recent.length));
          const asked = (said: readonly string[]) => said.filter((one) => one.includes('Question')).length;
          expect(asked(recent)).toBeGreaterThanOrEqual(Math.min(keepTurns, asked(was.said)));
        },
      ),
      { numRuns: 40 },
    );
    expect(shortened).toBeGreaterThan(20);
  }, 60_000);
});
