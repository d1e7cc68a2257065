import type { Entry, EntryBody, EntryId } from '../../src/record/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../src/testing/index.ts';

/** Something that was put into a session on purpose, and has to be found again. */
export interface Planted {
  readonly kind: string;
  readonly text: string;
  readonly entry: EntryId;
}

const PROSE = [
  'The reader walks the log from its end and stops at the first summary.',
  'Nothing else in this part depends on the order of the rows.',
  'That was easier than it looked, and the tests are still green.',
  'I looked at the surrounding code and it does the same thing twice.',
];

/**
 * A session of a coding agent, the same for the same seed: turns of question, talk, tool calls and answers, in each of
 * which a few hard items are planted among ordinary sentences.
 */
export function plantedSession(seed: number, turns: number): { entries: Entry[]; planted: Planted[] } {
  const random = createRandom(seed);
  const bodies: EntryBody[] = [];
  const hidden: { kind: string; text: string; at: number }[] = [];
  const plant = (kind: string, text: string, at = bodies.length) => hidden.push({ kind, text, at });
  const prose = () => PROSE[random(PROSE.length)]!;
  for (let turn = 0; turn < turns; turn++) {
    const name = `part${seed}x${turn}`;
    plant('url', `https://docs.example.com/${name}`);
    plant('identifier', `#${1000 + turn}`);
    bodies.push(
      user(
        `${prose()} Please fix #${1000 + turn}, described at https://docs.example.com/${name}. ${prose()}`,
      ),
    );
    plant('file', `src/${name}.ts`);
    bodies.push(
      toolCall('Edit', { file_path: `src/${name}.ts`, old_string: 'a', new_string: 'b' }, { id: `e${turn}` }),
    );
    bodies.push(toolResult('Edit', 'The file has been updated.', { id: `e${turn}` }));
    const code = random(2);
    plant('command', `npm test -- ${name} → exit ${code}`);
    bodies.push(toolCall('Bash', { command: `npm test -- ${name}` }, { id: `t${turn}` }));
    if (code !== 0) plant('error', `TypeError: ${name} is not a function`);
    const output =
      code === 0 ? 'Exit code: 0\nall fine' : `Exit code 1\nTypeError: ${name} is not a function`;
    bodies.push(toolResult('Bash', output, { id: `t${turn}`, failed: code !== 0 }));
    plant('decision', `We decided to keep ${name} in its own file.`);
    plant('figure', `timeout ${10 + turn} ms`);
    plant('todo', `document ${name}`);
    bodies.push(
      assistant(
        `${prose()} We decided to keep ${name} in its own file. The timeout is ${10 + turn} ms now. ${prose()}\n- [ ] document ${name}`,
      ),
    );
  }
  const entries = logOf(...bodies);
  return { entries, planted: hidden.map(({ kind, text, at }) => ({ kind, text, entry: entries[at]!.id })) };
}

function createRandom(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
