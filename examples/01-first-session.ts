// Opens a store, says something, closes everything, and goes on in the same session as if it were tomorrow.
import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSession, type EntryBody, findSession, openSession, openStore, titleOf } from 'throughline';

await using folder = await mkdtempDisposable(path.join(tmpdir(), 'throughline-example-'));
const file = path.join(folder.path, 'throughline.db');

const says = (role: 'user' | 'assistant', text: string): EntryBody => ({
  kind: 'message',
  role,
  parts: [{ type: 'text', text }],
});

// Today. When `append` resolves, the entries are on the disk.
let id: string;
{
  await using store = await openStore(file);
  await using session = await createSession(store, { agent: 'Simple Sally' });
  const [question, answer] = await session.append([
    says('user', 'Where are tokens checked?'),
    says('assistant', 'In src/auth/check-token.ts.'),
  ]);
  assert.equal(answer!.seq, question!.seq + 1);
  id = session.id;
}

// Tomorrow. The session has no title, so it is found by its first question, and opened by its id.
await using store = await openStore(file);
const found = await findSession(store, 'where are tokens checked?');
await using session = await openSession(store, found.id);
assert.equal(session.id, id);
assert.match(session.id, /^simple_sally_\d{8}_\d{6}$/);
assert.equal(titleOf(session.info.state), 'Where are tokens checked?');

await session.append([says('user', 'And who calls it?')]);
const spoken: string[] = [];
for await (const { body } of session.entries({ only: 'messages' })) {
  if (body.kind === 'message') spoken.push(`${body.role}: ${body.parts[0]?.text}`);
}
assert.deepEqual(spoken, [
  'user: Where are tokens checked?',
  'assistant: In src/auth/check-token.ts.',
  'user: And who calls it?',
]);
assert.equal(session.info.totals.queries, 2);

console.log(`${session.id}\n  ${spoken.join('\n  ')}`);
