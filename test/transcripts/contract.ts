import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/record/index.ts';
import { createMemoryStore, type Store, wholeBody } from '../../src/store/index.ts';
import type { ImportReport } from '../../src/transcripts/import/report.ts';
import type { Reader, Writer } from '../../src/transcripts/transcript.ts';
import { hashes, importText, roundTrip, sessionsOf } from './transfer.ts';

export interface FormatCase {
  readonly format: string;
  readonly reader: Reader;
  readonly writer?: Writer;
  /** Whole files, by what is special about them. */
  readonly samples: Readonly<Record<string, string>>;
  /** One record per line; otherwise the file is one value. */
  readonly lines: boolean;
  /** How often each property is tried. */
  readonly runs?: number;
}

/** What every format of lines or values keeps, whatever is done to its files. */
export function transcriptContract({ format, reader, writer, samples, lines, runs = 12 }: FormatCase): void {
  const read = async (text: string | Uint8Array, store = createMemoryStore()) => {
    const reports = await importText(store, reader, text, { format });
    return { store, reports };
  };

  describe.each(Object.entries(samples))(`${format}: %s`, (_, sample) => {
    it('adds nothing when it is read again', async () => {
      const { store } = await read(sample);
      const before = await hashes(store);
      const { reports } = await read(sample, store);
      expect(reports.map(({ added }) => added)).toEqual(reports.map(() => 0));
      expect(await hashes(store)).toEqual(before);
    });

    if (writer) {
      it('is the same log after it was written and read again', async () => {
        const { first, second } = await roundTrip({ reader, writer, format }, sample);
        expect(second).toEqual(first);
      });
    }

    it('says the same when it has grown bit by bit', async () => {
      const whole = await said((await read(sample)).store);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(sample.length), { maxLength: 4 }), async (cuts) => {
          const store = createMemoryStore();
          const ends = [...cuts].sort((a, b) => a - b);
          if (lines) for (const end of ends) await read(sample.slice(0, end), store);
          await read(sample, store);
          expect(await said(store)).toEqual(whole);
          const before = await hashes(store);
          await read(sample, store);
          expect(await hashes(store)).toEqual(before);
        }),
        { numRuns: runs },
      );
    });

    it('survives whatever is done to its bytes', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(sample.length),
          fc.oneof(
            fc.uint8Array({ maxLength: 40 }),
            fc.constant(new Uint8Array(4096)),
            fc.constant(Buffer.from('\n')),
          ),
          fc.nat(200),
          async (at, bytes, gone) => {
            const original = Buffer.from(sample);
            const broken = Buffer.concat([original.subarray(0, at), bytes, original.subarray(at + gone)]);
            const { store, reports } = await read(broken);
            expect(count(reports)).toBeGreaterThanOrEqual(0);
            const before = await hashes(store);
            await read(broken, store);
            expect(await hashes(store)).toEqual(before);
          },
        ),
        { numRuns: runs },
      );
    });

    if (lines) {
      it('loses no other message when one line is broken', async () => {
        const all = sample.split('\n').filter(Boolean);
        await fc.assert(
          fc.asyncProperty(fc.nat(all.length - 1), fc.nat(1000), damages, async (index, where, damage) => {
            const broken = all.map((line, at) => (at === index ? damage(line, where) : line)).join('\n');
            const rest = all.filter((_, at) => at !== index).join('\n');
            const words = await saidWords(await read(broken));
            for (const word of await saidWords(await read(rest))) expect(words).toContain(word);
          }),
          { numRuns: runs },
        );
      });

      it('reads both of two records on one line, and a record that is there twice', async () => {
        const all = sample.split('\n').filter(Boolean);
        const words = await saidWords(await read(sample));
        const step = Math.max(1, Math.floor((2 * all.length) / runs));
        for (let index = 1; index < all.length; index += step) {
          const glued = [...all.slice(0, index - 1), all[index - 1]! + all[index]!, ...all.slice(index + 1)];
          const { store, reports } = await read(glued.join('\n'));
          expect(await saidWords({ store })).toEqual(words);
          expect(reports.some(({ damageKinds }) => damageKinds.glued === 1)).toBe(true);
          const twice = [...all.slice(0, index), all[index]!, ...all.slice(index)];
          const doubled = await saidWords(await read(twice.join('\n')));
          for (const word of words) expect(doubled).toContain(word);
        }
      });
    }
  });

  it(`${format}: reads nothing out of random bytes, and does not fail`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
        const { reports } = await read(bytes);
        expect(reports.every(({ messages }) => messages === 0)).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it(`${format}: an empty file holds nothing`, async () => {
    const { reports } = await read('');
    expect(reports).toEqual([]);
  });
}

type Damage = (line: string, where: number) => string;

const damages: fc.Arbitrary<Damage> = fc.constantFrom<Damage>(
  (line, where) => line.slice(0, where % line.length),
  (line, where) => `${line.slice(0, where % line.length)}\0\0\0\0${line.slice(where % line.length)}`,
  (line, where) => `${line.slice(0, where % line.length)}\n${line.slice(where % line.length)}`,
  (line, where) => line.slice(where % line.length),
  () => '\0'.repeat(500),
  () => '',
);

/** What was said and not taken back, session by session, in order. */
export async function said(store: Store): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const { id, state } of await sessionsOf(store)) {
    const gone = ({ seq }: Entry) =>
      state.removed.some((target) => 'from' in target && seq >= target.from && seq <= target.to);
    const messages = (await store.read(id)).filter(({ body }) => body.kind === 'message');
    const kept = messages.filter((entry) => !gone(entry));
    all[id] = await Promise.all(
      kept.map(async ({ body }) => {
        const whole = await wholeBody(body, (hash) => store.blob(hash));
        return whole.kind === 'message' && { role: whole.role, parts: whole.parts, usage: whole.usage };
      }),
    );
  }
  return all;
}

/** Every text of every message, sorted: what must not get lost. */
async function saidWords({ store }: { store: Store }): Promise<string[]> {
  const words = Object.values(await said(store))
    .flat()
    .flatMap((message) => (message as { parts: { text?: unknown }[] }).parts.map(({ text }) => text))
    .filter((text): text is string => typeof text === 'string');
  return [...new Set(words)].sort();
}

function count(reports: readonly ImportReport[]): number {
  return reports.reduce((sum, { messages }) => sum + messages, 0);
}
