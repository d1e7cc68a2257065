import { hash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { emptySummary } from '../../../src/record/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { type FormatName, formatNamed, importSource, textSource } from '../../../src/transcripts/index.ts';
import { compactFile, wholeFile } from '../../../src/transcripts/shorten/index.ts';
import { scripted } from '../../compaction/scripted-summariser.ts';
import { createFolder } from './folder.ts';
import { LONG_FILES } from './long-files.ts';

const SETTINGS = { maxLines: 20, keepTurns: 3 };

describe.each(Object.entries(LONG_FILES))('a file of %s that was imported and then shortened', (_, file) => {
  const { format, text } = file as { format: FormatName; text: string };

  it.each(['digest', 'model'] as const)('goes on in the same session (%s), with newer lines', async (by) => {
    using place = createFolder(text);
    const original = async (sha256: string) =>
      place.originals.find(({ bytes }) => hash('sha256', bytes) === sha256)?.bytes;
    const store = createMemoryStore();
    const read = async (whole: string | Uint8Array) =>
      (await importSource(store, textSource(whole), { format: formatNamed(format), file: 'x' }))[0]!;
    const first = await read(text);
    const summariser = scripted(() => ({ summary: emptySummary('Prices were looked at.') }));
    const done = await compactFile(place.file, {
      ...SETTINGS,
      archive: place.archive,
      ...(by === 'model' && { summariser }),
    });
    expect(done).toMatchObject({ outcome: 'shortened', by: { kind: by } });
    appendFileSync(place.file, '{"type":"hologram","depth":99}\n');
    const whole = await wholeFile(place.file, original);
    expect(whole?.toString()).toBe(`${text}{"type":"hologram","depth":99}\n`);
    expect(await read(whole!)).toMatchObject({ id: first.id, branches: 0, messages: first.messages });
    expect((await store.list({ limit: 10 })).sessions).toHaveLength(1);
  });
});

it('a file that was never shortened, or whose original is gone, is as it is', async () => {
  const { text } = LONG_FILES['pi, version 3'];
  using place = createFolder(text);
  expect(await wholeFile(place.file, async () => undefined)).toBeUndefined();
  await compactFile(place.file, { ...SETTINGS, archive: place.archive });
  expect(await wholeFile(place.file, async () => undefined)).toBeUndefined();
  expect(await wholeFile(place.file, async () => Buffer.from('another'))).toBeUndefined();
});
