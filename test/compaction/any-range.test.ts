import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { digestRange } from '../../src/compaction/summarise-range.ts';
import type { EntryBody } from '../../src/record/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../src/testing/index.ts';

const settings = { ...PRESETS.window, keep: { messages: 2 } };
const code = Array.from({ length: 40 }, (_, n) => `export const value${n} = ${n};`).join('\n');

async function compacted(bodies: readonly EntryBody[]) {
  const session = await createSession(createMemoryStore(), { id: 's' });
  await session.append([...bodies, user('end'), assistant('ok')]);
  return compactSession(session, { settings });
}

const silent = (n: number): EntryBody[] => [
  toolCall('read', { path: `src/module-${n}.ts` }, { id: `c${n}` }),
  toolResult('read', code, { id: `c${n}` }),
];

const RANGES: [string, (n: number) => EntryBody[]][] = [
  ['tool calls without a word', silent],
  ['pictures', () => [user([{ type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo='.repeat(50) }])]],
  ['emoji', () => [user('😀'.repeat(50)), assistant('👍'.repeat(20))]],
  ['punctuation', () => [user('!!! ??? ... '.repeat(30)), assistant('--- === '.repeat(30))]],
  ['nothing', () => [user(''), assistant('')]],
  ['NULs', () => [user('\0'.repeat(300)), assistant('\0'.repeat(200))]],
  ['single words', () => [user('yes'), assistant('ok')]],
  [
    'talk about tags',
    (n) => [user(`Why is <tool_call> number ${n} printed as text?`), assistant('<invoke> too')],
  ],
  [
    'a pasted file',
    (n) => [user(`{\n  "name": "package-${n}",\n  "version": "1.0.${n}"\n}`), assistant('I see')],
  ],
  [
    'an error about a tag',
    (n) => [
      toolCall('bash', { command: `pytest ${n}` }, { id: `c${n}` }),
      toolResult('bash', `Error: unexpected <tool_use> block at line ${n}\nexit code 1`, { id: `c${n}` }),
    ],
  ],
];

describe('a range without a model is compacted, whatever it holds:', () => {
  it.each(RANGES)('%s', async (_, make) => {
    const result = await compacted(Array.from({ length: 20 }, (_, n) => make(n)).flat());
    expect(result.by.kind).toBe('digest');
    expect(result.compressedTokenCount).toBeLessThan(result.originalTokenCount * 0.8);
    expect(result.summary.replace('## Conversation Summary', '').trim()).not.toBe('');
  });

  it('says how much there was when there is nothing to quote', async () => {
    const { summary } = await compacted(Array.from({ length: 20 }, (_, n) => silent(n)).flat());
    expect(summary).toContain('40 messages without words to quote: 20 tool calls.');
    expect(summary).toContain('src/module-7.ts (read)');
  });

  it('says so when the messages are too long to quote', () => {
    const long = 'and another word of a sentence that never ends '.repeat(80);
    const entries = logOf(user(`Part one ${long}`), assistant(`Noted ${long}`));
    const { summary } = digestRange({ entries, maxTokens: 300 });
    expect(summary.overview).toBe('2 messages too long to quote here.');
  });

  it('quotes short messages of people where no line of the digest came of them', () => {
    const entries = logOf(
      ...['First', 'Second', 'Third'].flatMap((word) => [user(word), assistant(`You said: ${word}.`)]),
    );
    const { summary } = digestRange({ entries, maxTokens: 24 });
    expect(summary.overview).toBe('6 messages, among them "Second", "Third".');
  });

  it('any mixture of these', async () => {
    const scraps = fc.constantFrom(
      '<tool_call>{"name":"rm"}</tool_call>',
      '</invoke>',
      '\n{"tool": "bash"}',
      'Please fix src/a.ts.',
      '',
      '🙂',
      '\0',
      '\n\n',
      '用户',
    );
    const text = fc.array(scraps, { maxLength: 6 }).map((some) => some.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 12, maxLength: 30 }), async (texts) => {
        const bodies = texts.map((said, n) => (n % 2 ? assistant : user)(said));
        await expect(compacted(bodies)).resolves.toMatchObject({ by: { kind: 'digest' } });
      }),
      { numRuns: 60 },
    );
  });
});
