// Follows a session while another process writes in it, drops off, and goes on where it was.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createSession, openStore, type Seq, watchSession } from 'throughline';
import { user } from 'throughline/testing';

const [role, given] = process.argv.slice(2);

// The other process: every line of its input becomes a message, and is answered once it is on the disk.
if (role === 'writer' && given) {
  await using store = await openStore(given);
  await using session = await createSession(store, { id: 'live' });
  for await (const line of createInterface({ input: process.stdin })) {
    await session.append([user(line)]);
    console.log(line);
  }
} else {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'throughline-example-'));
  const file = path.join(folder.path, 'throughline.db');
  const writer = spawn(process.execPath, [import.meta.filename, 'writer', file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  async function write(text: string): Promise<void> {
    writer.stdin.write(`${text}\n`);
    await once(writer.stdout, 'data');
  }
  await write('one');

  await using store = await openStore(file);
  const seen: Seq[] = [];
  async function watch(howMany: number): Promise<void> {
    const stop = new AbortController();
    const after = seen.at(-1) ?? 0;
    for await (const { seq } of watchSession(store, 'live', { after, signal: stop.signal })) {
      seen.push(seq);
      if (--howMany === 0) stop.abort();
    }
  }

  const firstThree = watch(3);
  for (const text of ['two', 'three']) await write(text);
  await firstThree;

  // Nobody watches while these two are written; the cursor makes up for it.
  for (const text of ['four', 'five']) await write(text);
  const nextThree = watch(3);
  await write('six');
  await nextThree;

  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6], 'every entry, in order, exactly once');
  console.log(`seen: ${seen.join(', ')}`);
  writer.stdin.end();
  await once(writer, 'exit');
}
