import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArchiveBranch,
  archiveOriginal,
  compareOriginals,
  listArchive,
  restoreOriginal,
  verifyArchive,
} from '../../../src/transcripts/archive/index.ts';

export interface BranchCase extends Disposable {
  /** The same branch, as another process would open it. */
  open(): Promise<ArchiveBranch>;
}

export const file = (name: string, text: string | Uint8Array) => ({
  name,
  kind: 'file' as const,
  bytes: typeof text === 'string' ? Buffer.from(text) : text,
});

const SECRET = `ghp_${'Ab1'.repeat(12)}`;
/** One that somebody wants to be archived. */
const LEFT_IN = `ghp_${'Ef3'.repeat(12)}`;

/** A session as it is exported: its entries, and at its end how many there are. */
const log = (id: string, said: readonly string[]) =>
  [
    { session: { id } },
    ...said.map((text, n) => ({ entry: { id: `${id}-${n}`, seq: n + 1, body: { text } } })),
    { end: { session: id, entries: said.length, hash: said.join().length } },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

/** What every transport keeps. */
export function branchContract(name: string, create: () => BranchCase): void {
  describe(`${name} as an archive`, () => {
    it('returns files to the byte', async () => {
      using place = create();
      const branch = await place.open();
      const texts = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 3 });
      let n = 0;
      await fc.assert(
        fc.asyncProperty(texts, async (versions) => {
          n++;
          for (const [index, bytes] of versions.entries()) {
            const original = file(`session-${n}-${index}.jsonl`, bytes);
            const { path } = await archiveOriginal(branch, original, { redact: false });
            const restored = await restoreOriginal(branch, path);
            expect(restored.whole).toBe(true);
            expect(restored.bytes.equals(bytes)).toBe(true);
          }
        }),
        { numRuns: 4 },
      );
      expect((await verifyArchive(branch)).every(({ state }) => state === 'whole')).toBe(true);
    });

    it('does nothing when the same is archived again', async () => {
      using place = create();
      const branch = await place.open();
      const first = await archiveOriginal(branch, file('a.jsonl', '{"a":1}\n'));
      const { tip } = await branch.look();
      const again = await archiveOriginal(await place.open(), file('a.jsonl', '{"a":1}\n'));
      expect(again).toMatchObject({ how: 'known', path: first.path });
      expect((await branch.look()).tip).toBe(tip);
    });

    it('keeps a grown file in its place, and a rewritten one beside it', async () => {
      using place = create();
      const branch = await place.open();
      const put = async (text: string) => (await archiveOriginal(branch, file('a.jsonl', text))).path;
      expect(await put('1\n')).toBe('archived-sessions/a.jsonl');
      expect(await put('1\n2\n')).toBe('archived-sessions/a.jsonl');
      expect(await put('summary\n2\n')).toBe('archived-sessions/a~2.jsonl');
      expect(await put('summary\n2\n3\n')).toBe('archived-sessions/a~2.jsonl');
      expect(await put('1\n')).toBe('archived-sessions/a.jsonl');
      expect((await restoreOriginal(branch, 'a.jsonl')).bytes.toString()).toBe('1\n2\n');
      expect((await restoreOriginal(branch, 'a~2')).bytes.toString()).toBe('summary\n2\n3\n');
    });

    it('gives a file back by the name it had, where it has another one here', async () => {
      using place = create();
      const branch = await place.open();
      const { path } = await archiveOriginal(branch, file('talk: one?.jsonl', '1\n'));
      expect(path).toBe('archived-sessions/talk_ one_.jsonl');
      expect((await restoreOriginal(branch, 'talk: one?.jsonl')).bytes.toString()).toBe('1\n');
    });

    it('loses nothing when several archive at once', async () => {
      using place = create();
      const names = Array.from({ length: 6 }, (_, n) => `s${n}.jsonl`);
      const branches = await Promise.all(names.map(() => place.open()));
      await Promise.all(
        names.map((one, n) => archiveOriginal(branches[n]!, file(one, `{"said":"${one}"}\n`))),
      );
      const listed = (await listArchive(branches[0]!)).map(({ record }) => record?.name);
      expect(listed.sort()).toEqual(names);
    });

    it('takes secrets out, and puts them back from the vault', async () => {
      using place = create();
      const branch = await place.open();
      const text = `{"said":"use\\n${SECRET}"}\n`;
      await archiveOriginal(branch, file('plain.jsonl', text));
      await archiveOriginal(branch, file('kept.jsonl', `${text}{"more":1}\n`), { vault: true });
      const without = await restoreOriginal(branch, 'plain.jsonl');
      expect(without).toMatchObject({ whole: false });
      expect(without.bytes.toString()).toBe('{"said":"use\\n[secret-1 github]"}\n');
      const restored = await restoreOriginal(branch, 'kept.jsonl');
      expect(restored).toMatchObject({ whole: true });
      expect(restored.bytes.toString()).toBe(`${text}{"more":1}\n`);
      const states = (await verifyArchive(branch)).map(({ path, state }) => [path.slice(18), state]);
      expect(Object.fromEntries(states)).toEqual({ 'plain.jsonl': 'redacted', 'kept.jsonl': 'whole' });
    });

    it('says how originals of today stand to it', async () => {
      using place = create();
      const branch = await place.open();
      await archiveOriginal(branch, file('a.jsonl', `${SECRET}\n`));
      const compared = await compareOriginals(branch, [
        file('a.jsonl', `${SECRET}\n`),
        file('a.jsonl', `${SECRET}\nmore\n`),
        file('a.jsonl', 'other\n'),
        file('b.jsonl', 'other\n'),
      ]);
      expect(compared.map(({ state }) => state)).toEqual(['same', 'grown', 'differs', 'missing']);
    });

    it('keeps whole and redacted versions beside each other', async () => {
      using place = create();
      const branch = await place.open();
      for (const [kind, first] of [
        ['session', true],
        ['session', false],
        ['file', true],
        ['file', false],
      ] as const) {
        const name = `${kind}-${first}.jsonl`;
        const original = { name, kind, bytes: Buffer.from(log('a', [`use ${LEFT_IN}`])) };
        const paths: string[] = [];
        for (const redact of [first, !first]) {
          const { how, path } = await archiveOriginal(branch, original, { redact });
          expect(how).toBe('new');
          paths.push(path);
        }
        const whole = await restoreOriginal(branch, paths[first ? 1 : 0]!);
        expect(whole.bytes.equals(original.bytes)).toBe(true);
        expect((await restoreOriginal(branch, paths[first ? 0 : 1]!)).whole).toBe(false);
      }
    });

    it('keeps a file beside its twin with another secret, each with its vault', async () => {
      using place = create();
      const branch = await place.open();
      const texts = [SECRET, `ghp_${'Cd2'.repeat(12)}`].map((secret) => `{"said":"${secret}"}\n`);
      for (const text of texts) await archiveOriginal(branch, file('a.jsonl', text), { vault: true });
      const restored = await Promise.all(
        ['a.jsonl', 'a~2.jsonl'].map(async (name) => (await restoreOriginal(branch, name)).bytes.toString()),
      );
      expect(restored).toEqual(texts);
      const grown = file('a.jsonl', `${texts[0]}more\n`);
      expect(await archiveOriginal(branch, grown, { vault: true })).toMatchObject({
        how: 'grown',
        path: 'archived-sessions/a.jsonl',
      });
    });

    it('does not put what has no vault in the place of what has one', async () => {
      using place = create();
      const branch = await place.open();
      for (const kind of ['file', 'session'] as const) {
        const name = `${kind}-vault.jsonl`;
        const versions = [
          ['1', SECRET],
          ['1', SECRET, '2'],
          ['1', SECRET, '2', '3'],
        ].map((said) => ({
          name,
          kind,
          bytes: Buffer.from(kind === 'file' ? said.join('\n') : log('a', said)),
        }));
        const first = await archiveOriginal(branch, versions[0]!, { vault: true });
        const second = await archiveOriginal(branch, versions[1]!);
        expect(second).toMatchObject({ how: 'new', whole: false });
        expect((await restoreOriginal(branch, first.path)).bytes.equals(versions[0]!.bytes)).toBe(true);
        const third = await archiveOriginal(branch, versions[2]!, { vault: true });
        expect(third).toMatchObject({ path: first.path, how: 'grown', whole: true });
        expect((await restoreOriginal(branch, first.path)).bytes.equals(versions[2]!.bytes)).toBe(true);
      }
    });

    it('knows a session that has grown, in the middle too, and one that is another', async () => {
      using place = create();
      const branch = await place.open();
      const session = (text: string) => ({
        name: 'a.jsonl',
        kind: 'session' as const,
        bytes: Buffer.from(text),
      });
      const first = session(log('a', ['1', SECRET]) + log('fork', ['x']));
      const grown = session(log('a', ['1', SECRET, '3']) + log('fork', ['x', 'y']));
      const other = session(log('a', ['another', SECRET, '3', '4']) + log('fork', ['x', 'y']));
      await archiveOriginal(branch, first);
      const states = async () =>
        (await compareOriginals(branch, [first, grown, other])).map(({ state }) => state);
      expect(await states()).toEqual(['same', 'grown', 'differs']);
      const put = async (one: typeof first) => {
        const { path, how } = await archiveOriginal(branch, one);
        return [path, how];
      };
      expect(await put(grown)).toEqual(['archived-sessions/a.jsonl', 'grown']);
      expect(await put(first)).toEqual(['archived-sessions/a.jsonl', 'known']);
      expect(await put(other)).toEqual(['archived-sessions/a~2.jsonl', 'new']);
    });

    it('knows nothing that is not there', async () => {
      using place = create();
      const branch = await place.open();
      expect(await listArchive(branch)).toEqual([]);
      await expect(restoreOriginal(branch, 'a')).rejects.toMatchObject({ code: 'archive-not-found' });
    });
  });
}
