// Appends until the disk refuses, goes on for two more, then makes room and lets the session catch up.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { isThroughlineError } from '../../src/errors.ts';
import { createSession } from '../../src/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { user } from '../../src/testing/index.ts';

const [file] = process.argv.slice(2) as [string];
const say = (fact: string, value: unknown) => writeSync(1, `${fact} ${JSON.stringify(value)}\n`);
const store = await openSqliteStore(file);
const session = await createSession(store, { id: 'full' });
let appended = 0;
while (session.unsaved.length < 3 && appended < 20_000) {
  try {
    await session.append([user(`message ${appended++} ${'x'.repeat(2000)}`)]);
  } catch (error) {
    if (!isThroughlineError(error, 'not-saved')) throw error;
    say('refused', {
      unsaved: error.details.unsaved,
      cause: (error.cause as { code: string }).code,
      message: error.message,
    });
  }
}
say('stored', (await session.read({ only: 'messages' })).length);
const ballast = path.join(path.dirname(file), 'ballast');
if (existsSync(ballast)) rmSync(ballast);
else execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
await session.flush();
await session.append([user(`message ${appended++} after`)]);
const texts = (await session.read({ only: 'messages' })).map(({ body }) =>
  body.kind === 'message' ? (body.parts[0] as unknown as { text: string }).text.split(' ')[1] : '',
);
say('inOrder', texts.every((text, index) => text === String(index)) && texts.length === appended);
say('problems', (await store.verify()).problems);
await session.close();
