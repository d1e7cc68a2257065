import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../../src/store/index.ts';
import { assistant, compaction, toolCall, toolResult, user } from '../../../../src/testing/index.ts';
import { type ExportOptions, exportSession } from '../../../../src/transcripts/index.ts';

async function page(store: Store, id: string, options: Partial<ExportOptions> = {}): Promise<string> {
  let text = '';
  for await (const piece of exportSession(store, (await store.session(id))!, { format: 'html', ...options }))
    text += piece.text;
  return text;
}

const TAGS =
  /^<\/?(?:!doctype|html|head|meta|title|style|body|h1|main|article|header|time|p|details|summary|pre)\b/;

describe('a session as a page', () => {
  it('shows who said what, and tools only when they are asked for', async () => {
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 's', title: 'Cart & co' });
    await session.append([
      user('Where?'),
      toolCall('grep', { pattern: 'x' }, { id: '1' }),
      toolResult('grep', 'cart.ts', { id: '1' }),
      assistant('In cart.ts.'),
    ]);
    await session.append([compaction({ covers: { from: 2, to: 3 }, summary: 'The cart.' })]);
    const text = await page(store, 's');
    expect(text).toContain('<title>Cart &amp; co</title>');
    expect(text).toMatch(/class="user"[\s\S]*Where\?[\s\S]*class="assistant"[\s\S]*In cart\.ts\./);
    expect(text).toContain('Summary of entries 2 to 3');
    expect(text).not.toContain('grep');
    expect(await page(store, 's', { tools: true })).toContain('Result of grep');
  });

  it('is nothing but text, whatever was said', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('</p><script>alert(1)</script>', '"><img src=x onerror=y>', '<!--', '$& $1'),
        ),
        async (said) => {
          const store = createMemoryStore();
          await using session = await createSession(store, { id: 's', title: said });
          await session.append([user(`a${said}`), toolCall(said || 'x', { said }), assistant(said)]);
          const text = await page(store, 's', { tools: true });
          for (const [tag] of text.matchAll(/<[^>]*>/g)) {
            expect(tag).toMatch(TAGS);
            expect(tag).not.toMatch(/\son\w+=/i);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may be a part of it', async () => {
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 's' });
    await session.append([user('one'), assistant('two'), user('three'), assistant('four')]);
    const { head } = session.info;
    const text = await page(store, 's', { range: { from: head - 1, to: head } });
    expect(text).not.toContain('two');
    expect(text).toContain('three');
    expect(text).toContain('four');
  });
});
