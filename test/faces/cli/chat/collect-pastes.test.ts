import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectPastes } from '../../../../src/faces/cli/chat/collect-pastes.ts';

/** What the editor sees of these bytes, and what is sent for it. */
async function typed(text: string, cuts: readonly number[] = []): Promise<{ keys: string; sent: string }> {
  const pastes = collectPastes();
  const bytes = Buffer.from(text);
  const ends = [...new Set(cuts)].filter((cut) => cut < bytes.length).sort((a, b) => a - b);
  [0, ...ends].forEach((from, index, all) => {
    pastes.keys.write(bytes.subarray(from, all[index + 1] ?? bytes.length));
  });
  pastes.keys.end();
  const keys = Buffer.concat(await pastes.keys.toArray()).toString('utf8');
  return { keys, sent: pastes.restore(keys) };
}

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

describe('pastes', () => {
  it('of one short line are typed like anything else', async () => {
    expect((await typed(`a ${paste('word')} b`)).keys).toBe('a word b');
  });

  it('of many lines are one word in the line, and whole in the message', async () => {
    const { keys, sent } = await typed(`see ${paste('one\r\ntwo\rthree\n')}!`);
    expect(keys).toBe('see [Pasted #1: 3 lines]!');
    expect(sent).toBe('see one\ntwo\nthree!');
  });

  it('may be quoted without a paste', async () => {
    expect((await typed('[Pasted #7: 3 lines]')).sent).toBe('[Pasted #7: 3 lines]');
  });

  it('turn Escape and Enter into a line that goes on', async () => {
    expect((await typed('one\x1b\rtwo')).keys).toBe('one\\\rtwo');
  });

  it('are the same however the bytes come', async () => {
    const piece = fc.oneof(
      fc.constantFrom('typed ', 'é日👋', '\x1b[A', '\r'),
      fc.array(fc.constantFrom('line', '\n', '\r', '\t', '日本', ' ')).map((lines) => paste(lines.join(''))),
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat({ max: 150 }), { maxLength: 6 }), async (input, cuts) => {
        // A lone Escape is a key, so a mark that begins a paste is not parted there.
        const bytes = Buffer.from(input);
        const fair = cuts.filter((cut) => cut > 0 && (bytes[cut - 1] !== 0x1b || bytes[cut + 3] === 0x31));
        expect(await typed(input, fair)).toEqual(await typed(input));
      }),
    );
  });
});

describe('an earlier message', () => {
  it('of several lines comes back as one, with a sign for each line break', () => {
    const { recall, restore } = collectPastes();
    expect(recall('one\ntwo')).toBe('one⏎two');
    expect(restore('one⏎two, and more')).toBe('one\ntwo, and more');
    expect(recall('just one')).toBe('just one');
  });

  it('that is long is one word with its size', () => {
    const { recall, restore } = collectPastes();
    const long = `Look at [this]:\n${'line\n'.repeat(400)}`;
    const line = recall(long);
    expect(line).toMatch(/^\[Message #1: 402 lines, Look at \[this : line line line…\]$/);
    expect(restore(`${line} again`)).toBe(`${long} again`);
  });

  it('is sent as it was, whatever is in it', () => {
    const words = [
      '⏎',
      '\n',
      '\t',
      '\x1b[31m',
      '[Pasted #1: 3 lines]',
      '[Message #1: 2 lines, a…]',
      'a',
      ']',
      '👋',
    ];
    const message = fc
      .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary' })), { maxLength: 8 })
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
        const { keys, recall, restore } = collectPastes();
        keys.write(paste('one\rtwo\rthree'));
        const lines = messages.map(recall);
        expect(lines.join('')).not.toMatch(/\p{Cc}/u);
        expect(lines.map(restore)).toEqual(messages);
      }),
      { numRuns: 300 },
    );
  });
});
