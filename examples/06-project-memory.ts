// What a project knows outlives its sessions: facts with their sources, a moved folder, and what the model is shown.
import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, realpath, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  addFact,
  createMemoryStore,
  createSession,
  editFact,
  factHistory,
  fileHistory,
  linkFolder,
  memoryHead,
  offerLinks,
  placeFolder,
  readMemory,
  showFacts,
} from 'throughline';
import { toolCall, toolResult, user } from 'throughline/testing';

await using temp = await mkdtempDisposable(path.join(await realpath(tmpdir()), 'throughline-example-'));
const shop = path.join(temp.path, 'shop');
await mkdir(path.join(shop, '.throughline'), { recursive: true });
await writeFile(path.join(shop, 'AGENTS.md'), 'Use tabs.\n');

await using store = createMemoryStore();
const source = { by: 'person', name: 'anna' } as const;

// A fact, and what stands in for it. The old words are kept.
const { project: found } = await placeFolder(store, shop);
const { fact, project, budget } = await addFact(store, found, 'The API listens on port 8080.', { source });
assert.equal(budget.left, budget.limit - budget.used);
await editFact(store, project, fact, 'The API listens on port 9090.', { source });
const memory = await readMemory(store, project);
assert.deepEqual(
  showFacts(memory).map(({ text }) => text),
  ['The API listens on port 9090.'],
);
assert.deepEqual(
  factHistory(memory, fact.id).map(({ step }) => step),
  ['added', 'superseded', 'added'],
);

// A session of the project touches a file; later one can ask who did, and why.
{
  await using session = await createSession(store, { id: 'first', project: project.id });
  await session.append([
    user('Let it listen on 9090.'),
    toolCall('edit', { file_path: path.join(shop, 'src/server.ts') }),
    toolResult('edit', 'done'),
  ]);
}
const { touches } = await fileHistory(store, project, 'src');
assert.equal(touches[0]?.request?.text, 'Let it listen on 9090.');
console.log(`${touches[0].session} ${touches[0].operation} ${touches[0].path}: ${touches[0].request.text}`);

// The folder is renamed. Nobody guesses, but the project is offered, and keeps everything once it is linked.
const renamed = path.join(temp.path, 'renamed', 'shop');
await mkdir(path.dirname(renamed));
await rename(shop, renamed);
const here = await placeFolder(store, renamed);
assert.equal(here.project.known, false);
const [offer] = await offerLinks(store, here.project);
assert.deepEqual([offer?.project.id, offer?.moved], [project.id, true]);
const linked = await linkFolder(store, project, renamed);
assert.equal((await fileHistory(store, linked, 'src/server.ts')).touches.length, 1);

// What goes into the head of a context: the instruction files word for word, then what is known.
const { pieces } = await memoryHead(store, { folder: renamed });
assert.match(pieces[0]!.text, /Use tabs\.\n/);
assert.match(pieces[1]!.text, /port 9090/);
console.log(pieces.map(({ text }) => text).join('\n\n'));
