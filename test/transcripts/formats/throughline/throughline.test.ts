import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSession, forkSession } from '../../../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../../../src/store/index.ts';
import { assistant, compaction, mark, user } from '../../../../src/testing/index.ts';
import { readClaudeCode } from '../../../../src/transcripts/formats/claude-code/read.ts';
import { readThroughline } from '../../../../src/transcripts/formats/throughline/read.ts';
import { writeThroughline } from '../../../../src/transcripts/formats/throughline/write.ts';
import { exportSession } from '../../../../src/transcripts/index.ts';
import { anyBody } from '../../../record/arbitraries.ts';
import { exportText, hashes, importText, logOfSession } from '../../transfer.ts';
import { withSubAgent } from '../claude-code/lines.ts';

/** A session, a fork in the middle of it, and a fork of the fork. */
async function family(): Promise<Store> {
  const store = createMemoryStore();
  await using session = await createSession(store, { id: 'plan', title: 'Plan', tags: ['auth'] });
  await session.append([user('one'), assistant('two'), user('three'), assistant('four')]);
  await session.append([
    compaction({ covers: { from: 1, to: 4 } }),
    mark('pinned', { from: 3, to: 4 }),
    user([{ type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }]),
    user([{ type: 'data', value: { $bytes: 'not bytes', $plain: { $bytes: 'x' } } }]),
    user('long text '.repeat(8000)),
  ]);
  const fork = await forkSession(store, session.info, { at: 4, id: 'plan-b' });
  await store.append('plan-b', [{ body: user('another way') }, { body: assistant('fine') }]);
  const deeper = await forkSession(store, (await store.session(fork.id))!, { id: 'plan-c' });
  await store.append(deeper.id, [{ body: user('deeper') }]);
  return store;
}

describe('our own format', () => {
  it.each(['plan', 'plan-b', 'plan-c'])('brings the whole family of %s into an empty store', async (id) => {
    const store = await family();
    const text = await exportText(store, id, writeThroughline);
    const other = createMemoryStore();
    const reports = await importText(other, readThroughline, text);
    expect(reports.map(({ damage }) => damage)).toEqual([0, 0, 0]);
    expect(await hashes(other)).toEqual(await hashes(store));
    expect((await other.session('plan-c'))?.parent).toEqual((await store.session('plan-c'))?.parent);
    expect((await other.session('plan'))?.state).toEqual((await store.session('plan'))?.state);
  });

  it('is the same text again when it is read and written', async () => {
    const store = await family();
    const text = await exportText(store, 'plan', writeThroughline);
    const other = createMemoryStore();
    await importText(other, readThroughline, text);
    expect(await exportText(other, 'plan', writeThroughline)).toBe(text);
  });

  it('keeps any log to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyBody, { maxLength: 12 }), async (bodies) => {
        const store = createMemoryStore();
        await store.create({ id: 's', createdAt: 5 });
        await store.append(
          's',
          bodies.map((body) => ({ body })),
        );
        const text = await exportText(store, 's', writeThroughline);
        const other = createMemoryStore();
        const [report] = await importText(other, readThroughline, text);
        expect(report).toMatchObject({ damage: 0, added: bodies.length });
        expect(await hashes(other)).toEqual(await hashes(store));
        expect(await other.read('s')).toEqual(await store.read('s'));
      }),
      { numRuns: 60 },
    );
  });

  it('adds nothing when it is read again, and only the new part when it has grown', async () => {
    const store = await family();
    const text = await exportText(store, 'plan', writeThroughline);
    const other = createMemoryStore();
    await importText(other, readThroughline, text);
    const again = await importText(other, readThroughline, text);
    expect(again.map(({ added }) => added)).toEqual([0, 0, 0]);
    await store.append('plan', [{ body: user('more') }]);
    const grown = await importText(other, readThroughline, await exportText(store, 'plan', writeThroughline));
    expect(grown.reduce((sum, { added }) => sum + added, 0)).toBe(1);
    expect(await hashes(other)).toEqual(await hashes(store));
  });

  it('makes a fork where two copies went different ways, and keeps both', async () => {
    const store = await family();
    const other = createMemoryStore();
    await importText(other, readThroughline, await exportText(store, 'plan', writeThroughline));
    await store.append('plan', [{ body: user('here') }, { body: assistant('yes') }]);
    await other.append('plan', [{ body: user('there') }]);
    const text = await exportText(store, 'plan', writeThroughline);
    const reports = await importText(other, readThroughline, text);
    const { id, branches } = reports.find(({ branches }) => branches > 0)!;
    expect(branches).toBe(1);
    const said = (await logOfSession(other, id)).map(({ id: entry }) => entry);
    expect(said).toEqual((await logOfSession(store, 'plan')).map(({ id: entry }) => entry));
    expect((await logOfSession(other, 'plan')).at(-1)?.body).toMatchObject({ parts: [{ text: 'there' }] });
    const before = await hashes(other);
    await importText(other, readThroughline, text);
    expect(await hashes(other)).toEqual(before);
  });

  it('gives lost entries a place, so that the others keep their numbers', async () => {
    const store = await family();
    const lines = (await exportText(store, 'plan', writeThroughline)).split('\n');
    const torn = lines.map((line, index) => (index === 4 ? line.slice(0, 60) : line)).join('\n');
    const other = createMemoryStore();
    const reports = await importText(other, readThroughline, torn);
    expect(reports[0]?.damageKinds).toEqual({ torn: 1, lost: 1, differs: 1 });
    const before = await logOfSession(store, 'plan');
    const after = await logOfSession(other, 'plan');
    expect(after.map(({ seq }) => seq)).toEqual(before.map(({ seq }) => seq));
    expect(after.filter(({ id }, index) => id !== before[index]?.id).map(({ body }) => body)).toMatchObject([
      { kind: 'unknown', was: 'lost', value: { text: lines[4]!.slice(0, 60) } },
    ]);
  });

  it('reports that a file was cut, and reads the rest of it', async () => {
    const store = await family();
    const text = await exportText(store, 'plan', writeThroughline);
    for (let end = 0; end < text.length; end += 977) {
      const other = createMemoryStore();
      const reports = await importText(other, readThroughline, text.slice(0, end));
      const whole = text.slice(0, end).split('\n').length - 1;
      const entries = text
        .split('\n')
        .slice(0, whole)
        .filter((line) => line.startsWith('{"entry"')).length;
      const added = reports.reduce((sum, report) => sum + report.added, 0);
      expect(added).toBeGreaterThanOrEqual(entries);
    }
  });

  it('takes along what worked for the session', async () => {
    const store = createMemoryStore();
    const reports = await importText(store, readClaudeCode, withSubAgent(), { format: 'claude-code' });
    const info = (await store.session(reports[0]!.id))!;
    let text = '';
    for await (const written of exportSession(store, info, { format: 'throughline' })) text += written.text;
    const other = createMemoryStore();
    await importText(other, readThroughline, text);
    expect(await hashes(other)).toEqual(await hashes(store));
    expect(Object.keys(await hashes(other))).toHaveLength(2);
  });

  it('refuses a newer format by name', async () => {
    const text = '{"throughline":1,"format":99}\n{"session":{"id":"s","createdAt":1}}\n';
    const store = createMemoryStore();
    await expect(importText(store, readThroughline, text)).rejects.toMatchObject({
      code: 'transcript-newer',
    });
  });
});

describe('a fork alone', () => {
  it('is written with what it shares, when it is alone', async () => {
    const store = await family();
    const other = createMemoryStore();
    const text = await exportText(store, 'plan-c', writeThroughline, { alone: true });
    const [report] = await importText(other, readThroughline, text);
    expect(report).toMatchObject({ id: 'plan-c', damage: 0 });
    expect((await other.session('plan-c'))?.parent).toBeUndefined();
    expect((await hashes(other))['plan-c']).toBe((await hashes(store))['plan-c']);
  });

  it('is read as far as it goes when its parent is missing, and says so', async () => {
    const store = await family();
    const lines = (await exportText(store, 'plan-b', writeThroughline)).split('\n');
    const from = lines.findIndex((line) => line.startsWith('{"session":{"id":"plan-b"'));
    const text = [lines[0], ...lines.slice(from, from + 4)].join('\n');
    const other = createMemoryStore();
    const [report] = await importText(other, readThroughline, text);
    expect(report).toMatchObject({ id: 'plan-b', branches: 0, damageKinds: { 'missing-parent': 1 } });
    expect((await logOfSession(other, report!.id)).map(({ body }) => body)).toMatchObject([
      { parts: [{ text: 'another way' }] },
      { parts: [{ text: 'fine' }] },
    ]);
    const before = await hashes(other);
    await importText(other, readThroughline, text);
    expect(await hashes(other)).toEqual(before);
  });
});
