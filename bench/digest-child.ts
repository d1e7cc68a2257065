// In a process of its own: digests a long session of a coding agent, then says how much processor time it took and what memory it grew by.
import { digestEntries } from '../src/compaction/digest/digest-entries.ts';
import type { Entry, Message } from '../src/index.ts';
import { logOf } from '../src/testing/index.ts';

const MESSAGES = 10_000;
const VOCABULARY = 20_000;

let state = 1;
const random = (below: number) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to va we'.split(' ');
const vocabulary = Array.from({ length: VOCABULARY }, () =>
  Array.from({ length: 2 + random(3) }, () => syllables[random(syllables.length)]).join(''),
);
const common =
  'the a of to and in is it for on with that we not are from can should file test error code'.split(' ');
const word = () =>
  random(100) < 45
    ? common[random(common.length)]!
    : vocabulary[Math.floor(random(VOCABULARY) ** 2 / VOCABULARY)]!;

function prose(length: number): string {
  let text = '';
  while (text.length < length) {
    const words = Array.from({ length: 6 + random(14) }, word);
    if (random(5) === 0) words[2] = `src/${word()}/${word()}.ts`;
    if (random(5) === 0) words[3] = `${random(900)}`;
    const [first = '', ...rest] = words;
    text += `${first.charAt(0).toUpperCase()}${[first.slice(1), ...rest].join(' ')}.${random(5) === 0 ? '\n' : ' '}`;
  }
  return text;
}

function source(length: number): string {
  let text = '';
  for (let line = 1; text.length < length; line++) {
    text += `${line}\t  const ${word()} = ${word()}(${word()}, ${random(100)});\n`;
  }
  return text;
}

/** A question, six calls with their results, an answer: 2 KB a message in the mean. */
function turn(number: number): Message[] {
  const say = (role: 'user' | 'assistant', length: number): Message => ({
    kind: 'message',
    role,
    parts: [{ type: 'text', text: prose(length) }],
  });
  const calls = Array.from({ length: 6 }, (_, index): Message[] => {
    const shell = index % 2 === 0;
    const [toolCallId, toolName] = [`call-${number}-${index}`, shell ? 'Bash' : 'Read'];
    const input = shell
      ? { command: `npm test -- ${word()} && git commit -m "${word()}"` }
      : { file_path: `src/${word()}.ts` };
    const value = shell
      ? `${prose(3300)}\nTests 12 passed, 1 failed\nError: ${word()} broke\n`
      : source(4000);
    return [
      {
        kind: 'message',
        role: 'assistant',
        parts: [
          { type: 'text', text: prose(250) },
          { type: 'tool-call', toolCallId, toolName, input },
        ],
      },
      {
        kind: 'message',
        role: 'tool',
        parts: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
      },
    ];
  });
  return [say('user', 300), ...calls.flat(), say('assistant', 1500)];
}

const bodies: Message[] = [];
for (let number = 0; bodies.length < MESSAGES; number++) bodies.push(...turn(number));
const entries: Entry[] = logOf(...bodies.slice(0, MESSAGES));
const bytes = JSON.stringify(entries).length;
globalThis.gc?.();
const before = process.memoryUsage().rss;
const usedBefore = process.cpuUsage();
digestEntries(entries, { maxTokens: 4000 });
const { user, system } = process.cpuUsage(usedBefore);
const cpu = (user + system) / 1000;
console.log(JSON.stringify({ cpu, bytes, grown: (process.memoryUsage().rss - before) / 2 ** 20 }));
