import fc from 'fast-check';
import { call, createFile, text } from '../formats/pi/records.ts';

export type Step =
  | { do: 'turn'; results: number }
  | { do: 'note'; type: string }
  | { do: 'compact'; back: number }
  | { do: 'go back'; back: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('turn' as const), results: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('note' as const),
      type: fc.constantFrom('model_change', 'custom', 'label', 'hologram', 'thinking_level_change'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), back: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('go back' as const), back: fc.nat(9) }) },
);

/** A file of pi in which a person has gone back, compacted and changed settings here and there. */
export function build(steps: readonly Step[]): string {
  const file = createFile();
  let path: string[] = [];
  /** pi keeps from a message on that is still in sight, and compacts only where there is something to compact. */
  let said: string[] = [];
  let parent: string | null | undefined;
  let turn = 0;
  const add = (make: (options: { parent?: string | null }) => string) => {
    path.push(make(parent === undefined ? {} : { parent }));
    parent = undefined;
  };
  const say = (make: (options: { parent?: string | null }) => string) => {
    add(make);
    said.push(path.at(-1)!);
  };
  for (const one of steps) {
    if (one.do === 'turn') {
      turn++;
      say((options) => file.user(`Question ${turn}? ${'why '.repeat(20)}`, options));
      for (let n = 0; n < one.results; n++) {
        say(() => file.assistant([call(`c${turn}-${n}`, { command: `ls ${turn}` })]));
        say(() => file.result(`c${turn}-${n}`, `file-${turn}-${n}.ts `.repeat(30)));
      }
      say(() => file.assistant([text(`Answer ${turn}: because of file-${turn}.ts.`)]));
    } else if (one.do === 'note')
      add((options) => file.add(one.type, { provider: 'x', modelId: 'y', said: turn }, options));
    else if (one.do === 'compact' && said.length > 4) {
      const at = Math.max(0, said.length - 1 - one.back);
      const kept = said[at];
      said = said.slice(at);
      add((options) =>
        file.add(
          'compaction',
          { summary: `Up to ${turn}.`, firstKeptEntryId: kept, tokensBefore: 9 },
          options,
        ),
      );
    } else if (one.do === 'go back' && path.length > one.back) {
      path = path.slice(0, path.length - one.back);
      said = said.filter((name) => path.includes(name));
      parent = path.at(-1) ?? null;
    }
  }
  return file.text();
}

export const steps = fc.array(step, { minLength: 8, maxLength: 40 });
