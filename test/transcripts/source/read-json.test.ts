import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textSource } from '../../../src/transcripts/source/open-source.ts';
import { type JsonPiece, readJson } from '../../../src/transcripts/source/read-json.ts';
import { anyJson } from '../../record/arbitraries.ts';

async function read(text: string, { lists = ['messages'], size = 1_000_000 } = {}): Promise<JsonPiece[]> {
  const bytes = Buffer.from(text);
  const source = {
    ...textSource(''),
    async *chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      yield null;
    },
  };
  const found: JsonPiece[] = [];
  for await (const pieces of readJson(source, { lists })) found.push(...pieces);
  return found;
}

const items = (pieces: readonly JsonPiece[]) =>
  pieces.flatMap((piece) => ('item' in piece ? [piece.item] : []));
const whole = (pieces: readonly JsonPiece[]) =>
  pieces.flatMap((piece) => ('whole' in piece ? [piece.whole] : []));

describe('a file that is one JSON value', () => {
  it('gives the items of its list one by one, and the rest at its end, in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyJson, { maxLength: 5 }),
        anyJson,
        fc.nat(2),
        fc.integer({ min: 1, max: 50 }),
        async (list, other, indent, size) => {
          const value = { a: other, b: { messages: [other] }, messages: list, z: 'last' };
          const text = JSON.stringify(value, null, indent);
          const pieces = await read(text, { size });
          expect(items(pieces)).toEqual(JSON.parse(JSON.stringify(list)));
          expect(whole(pieces)).toEqual([JSON.parse(JSON.stringify({ ...value, messages: [] }))]);
          expect(pieces.filter((piece) => 'damage' in piece)).toEqual([]);
        },
      ),
    );
  });

  it('says what stands before the list as soon as the list begins', async () => {
    const [first] = await read('{"id":"s","messages":[1');
    expect(first).toEqual({ head: { id: 's', messages: [] } });
  });

  it('may be a list itself', async () => {
    expect(items(await read('[{"a":1}, 2 ,"x"]', { lists: [''] }))).toEqual([{ a: 1 }, 2, 'x']);
    expect(await read('[]', { lists: [''] })).toEqual([]);
  });

  it('gives the whole items of one that was cut', async () => {
    const text = JSON.stringify({ id: 's', messages: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    for (let end = 0; end < text.length; end++) {
      const pieces = await read(text.slice(0, end));
      expect(pieces.some((piece) => 'damage' in piece)).toBe(true);
      const wanted = [1, 2, 3].filter(
        (n) => text.slice(0, end).includes(`{"n":${n}},`) || text.slice(0, end).includes(`{"n":${n}}]`),
      );
      expect(items(pieces).length).toBeGreaterThanOrEqual(wanted.length);
    }
  });
});
