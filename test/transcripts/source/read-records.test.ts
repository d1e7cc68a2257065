import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textSource } from '../../../src/transcripts/source/open-source.ts';
import { readRecords } from '../../../src/transcripts/source/read-records.ts';
import type { TranscriptSource } from '../../../src/transcripts/transcript.ts';

const isRecord = ({ type }: Readonly<Record<string, unknown>>) => type === 'line';
const line = (n: number, more = {}) => JSON.stringify({ type: 'line', n, ...more });

async function read(text: string | Uint8Array, source: TranscriptSource = textSource(text)) {
  const values: unknown[] = [];
  const fragments: string[] = [];
  const damage: string[] = [];
  for await (const items of readRecords(source, { isRecord })) {
    for (const item of items) {
      if ('value' in item) values.push(item.value.n);
      else if ('fragment' in item) fragments.push(item.fragment);
      else if ('damage' in item) damage.push(item.damage);
    }
  }
  return { values, fragments, damage };
}

/** The same bytes in pieces of any size. */
function inPieces(text: string, size: number): TranscriptSource {
  const bytes = Buffer.from(text);
  return {
    ...textSource(''),
    async *chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      yield null;
    },
  };
}

describe('a file of lines', () => {
  it.each([
    ['ends without a line break', `${line(1)}\n${line(2)}`, [1, 2], [], []],
    ['has Windows line ends and empty lines', `${line(1)}\r\n\r\n\n${line(2)}\r\n`, [1, 2], [], []],
    ['starts with a byte order mark', `\ufeff${line(1)}\n${line(2)}\n`, [1, 2], [], []],
    ['has two records on a line', `${line(1)}${line(2)}\n${line(3)}\n`, [1, 2, 3], [], ['glued']],
    [
      'has three with blanks between',
      `${line(1)} ${line(2)}\t${line(3)}\n`,
      [1, 2, 3],
      [],
      ['glued', 'glued'],
    ],
    [
      'has a torn record before a whole one',
      `{"type":"line","n":1,"x":{"a":1},"t":"hel${line(2)}\n`,
      [2],
      1,
      ['torn'],
    ],
    ['has a torn line', `${line(1)}\n{"type":"line","n":2,"t":"hel\n${line(3)}\n`, [1, 3], 1, ['torn']],
    [
      'has a line break inside a record',
      `{"type":"line","n":1,"t":"a\nb"}\n${line(2)}\n`,
      [1, 2],
      [],
      ['broken-line'],
    ],
    [
      'has three line breaks inside one',
      `{"type":"line","n":1,"t":"a\n\nb\nc"}\n${line(2)}\n`,
      [1, 2],
      [],
      ['broken-line'],
    ],
    ['has bytes of zero around a record', `\0\0\0${line(1)}\0\0\n${line(2)}\n`, [1, 2], [], ['nul']],
    ['has a run of zeros for a line', `${line(1)}\n${'\0'.repeat(4096)}\n${line(2)}\n`, [1, 2], [], ['nul']],
    [
      'has zeros inside a record',
      `${line(1).replace('line"', 'line"\0\0')}\n${line(2)}\n`,
      [1, 2],
      [],
      ['nul'],
    ],
    [
      'has something else in between',
      `${line(1)}\nnot json\n[1,2]\n42\n${line(2)}\n`,
      [1, 2],
      3,
      ['torn', 'misshapen', 'torn'],
    ],
    ['ends in half a record', `${line(1)}\n{"type":"line","n":2,`, [1], [], ['torn']],
    ['ends in one and a half', `${line(1)}\n${line(2)}{"type":"line","n":3,`, [1, 2], [], ['torn']],
    ['is empty', '', [], [], []],
  ] as const)('that %s', async (_, text, values, fragments, damage) => {
    const read_ = await read(text);
    expect(read_.values).toEqual(values);
    expect(typeof fragments === 'number' ? read_.fragments.length : read_.fragments).toEqual(fragments);
    expect(read_.damage).toEqual(damage);
  });

  it('is the same in pieces of any size', async () => {
    const text = `${line(1, { t: 'ü'.repeat(20) })}\n${line(2)}${line(3)}\n\0\0\n{"type":"line","n":4,"t":"x\ny😀"}\n${line(5)}`;
    const whole = await read(text);
    for (let size = 1; size < 40; size++) expect(await read('', inPieces(text, size))).toEqual(whole);
  });

  it('says when bytes are not text', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"type":"line","n":1,"t":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n'),
    ]);
    expect(await read(bytes)).toMatchObject({ values: [1], damage: ['not-utf8'] });
  });

  it('has lines longer than any buffer', async () => {
    const long = line(1, { t: 'x'.repeat(3_000_000) });
    expect(await read(`${long}\n${line(2)}\n${long}`)).toMatchObject({ values: [1, 2, 1], damage: [] });
  });

  it('gives every whole record of any text, and never fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constant('\n'),
            fc.nat(9).map((n) => line(n)),
            fc.string(),
            fc.constant('\0'),
          ),
        ),
        async (pieces) => {
          const { values } = await read(pieces.join('\n'));
          const wanted = pieces.filter((piece) => piece.startsWith('{"type":"line"')).length;
          expect(values.length).toBeGreaterThanOrEqual(wanted);
        },
      ),
    );
  });
});
