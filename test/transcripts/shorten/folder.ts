import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readFrontier } from '../../../src/session/index.ts';
import { createMemoryStore, wholeBody } from '../../../src/store/index.ts';
import type { Archived, Original } from '../../../src/transcripts/archive/index.ts';
import { type FormatName, formatNamed, importSource, textSource } from '../../../src/transcripts/index.ts';

/** A file in a folder of its own, and an archive that only remembers. */
export function createFolder(text: string | Uint8Array, name = 'session.jsonl') {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-shorten-'));
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const originals: Original[] = [];
  return {
    folder,
    file,
    originals,
    archive: async (original: Original): Promise<Archived> => {
      originals.push(original);
      return { path: 'x', how: 'new', sha256: '', bytes: original.bytes.length, secrets: 0, whole: true };
    },
    read: () => readFileSync(file, 'utf8'),
    others: () => readdirSync(folder).filter((one) => one !== name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What a model would be sent of a file, and whether anything in it hangs in the air. */
export async function contextOf(format: FormatName, text: string) {
  const store = createMemoryStore();
  const [report] = await importSource(store, textSource(text), { format: formatNamed(format), file: 'x' });
  const frontier = await readFrontier(store, (await store.session(report!.id))!);
  const said: string[] = [];
  for (const { body: stored } of frontier) {
    const body = await wholeBody(stored, (hash) => store.blob(hash));
    if (body.kind === 'compaction') said.push('summary');
    else if (body.kind === 'message' && body.role !== 'system')
      said.push(JSON.stringify([body.role, body.parts]));
  }
  return { said, report: report! };
}
