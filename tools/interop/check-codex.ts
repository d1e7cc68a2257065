// Lets Codex itself go on with what we write for it, and looks at what it sends to its model.
// npm run test:interop
import assert from 'node:assert/strict';
import {
  appendFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import {
  exportSession,
  formatNamed,
  importSource,
  pathForAgent,
  placeForAgent,
  textSource,
} from '../../src/transcripts/index.ts';
import { compactFile } from '../../src/transcripts/shorten/index.ts';
import { longCodex } from '../../test/transcripts/shorten/long-files.ts';
import { LONG_OUTPUT, longTurnOfCodex } from '../../test/transcripts/shorten/long-turns.ts';
import { answerAsOpenAI, type Service } from './codex/answer-as-openai.ts';
import { type CodexHome, listThreads, makeHome, runCodex } from './codex/run-codex.ts';
import { PROJECT, sessions } from './sessions.ts';
import { ours, saidByCodex } from './what-is-said.ts';

const base = mkdtempSync(path.join(tmpdir(), 'throughline-interop-'));
const CODEX = formatNamed('codex');
const LONG = {
  turns: longCodex(),
  'a turn of many steps': longTurnOfCodex({ steps: 60 }).text(),
  'a turn with long output': longTurnOfCodex({ steps: 20, output: LONG_OUTPUT }).text(),
};
const ANSWER = 'Gone on with.';
const BRIEFING = '# Handed over\n\nThe goal is to go on.';
const archive = async () =>
  ({ path: '', how: 'new', sha256: '', bytes: 0, secrets: 0, whole: true }) as const;
let homes = 0;

try {
  await using service = await answerAsOpenAI(ANSWER);
  for (const [name, make] of Object.entries(sessions())) {
    // Its own files name the provider that they were made with.
    const provider = name.startsWith('Codex') ? 'openai' : 'local';
    await checkHandoff(name, make, newHome(provider, service), service);
    if (name.includes('ours')) await checkHandoff(name, make, newHome('openai', service), service);
  }
  await checkList(newHome('local', service));
  await checkItsCompaction(newHome('local', service, { compactAt: 5 }));
  for (const style of ['own', 'pair'] as const) {
    for (const [name, text] of Object.entries(LONG))
      await checkShortened({ name, text, style }, newHome('openai', service), service);
    await checkItsOwn(style, newHome('local', service), service);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}

function newHome(
  provider: 'openai' | 'local',
  { url }: Service,
  more: { compactAt?: number } = {},
): CodexHome {
  const at = { home: path.join(base, `home-${++homes}`), folder: path.join(base, 'shop') };
  makeHome(at, { provider, url, ...more });
  return at;
}

async function put(store: Store, id: string, { home, folder: project }: CodexHome) {
  const { folder, command } = placeForAgent('codex', { project, env: { CODEX_HOME: home } });
  let file = '';
  for await (const written of exportSession(store, (await store.session(id))!, {
    format: 'codex',
    briefing: BRIEFING,
  })) {
    file = path.join(folder, pathForAgent('codex', written.file));
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, written.text);
  }
  return { file, id: command(file).split(' ').at(-1)! };
}

async function goOn(
  at: CodexHome,
  id: string,
  {
    service,
    compacted = false,
    briefed = false,
  }: { service: Service; compacted?: boolean; briefed?: boolean },
): Promise<string[]> {
  await runCodex(at, ['exec', 'resume', '--skip-git-repo-check', id, 'Go on!']);
  const { input } = service.asked.splice(0).at(-1)!;
  const said = saidByCodex(input, { compacted });
  assert.equal(said.pop(), 'user: Go on!');
  if (briefed)
    assert(input.some(({ role, content = [] }) => role === 'developer' && content[0]?.text === BRIEFING));
  return said;
}

/** It goes on with what we handed over, and what it adds comes back as growth of the same session. */
async function checkHandoff(
  name: string,
  make: (store: Store) => Promise<string>,
  at: CodexHome,
  service: Service,
): Promise<void> {
  const store = createMemoryStore();
  const session = await make(store);
  const { file, id } = await put(store, session, at);
  const before = readFileSync(file);
  const back = createMemoryStore();
  const read = () => importSource(back, textSource(readFileSync(file)), { format: CODEX, file });
  const [first] = await read();

  const theirs = await goOn(at, id, { service, compacted: name === 'Codex, compacted', briefed: true });
  assert.deepEqual(theirs, await ours(store, session), `Codex goes on with something else: ${name}`);

  const after = readFileSync(file);
  assert(after.length > before.length && after.subarray(0, before.length).equals(before), name);
  const [again] = await read();
  assert.equal(again!.id, first!.id);
  assert.equal(again!.branches, first!.branches);
  assert.equal(again!.unknownKept, first!.unknownKept, `lines of Codex that we do not know: ${name}`);
  assert.deepEqual((await ours(back, again!.id)).slice(-2), ['user: Go on!', `assistant: ${ANSWER}`]);
  console.log(`Codex goes on with and hands back: ${name} (${theirs.length} pieces)`);
}

/** What we handed over is in the list that people choose from. */
async function checkList(at: CodexHome): Promise<void> {
  const store = createMemoryStore();
  const { id } = await put(store, await sessions().ours!(store), at);
  const listed = await listThreads(at);
  assert.deepEqual(listed, [{ id, preview: 'Where?', cwd: PROJECT }]);
  console.log('Codex lists what is handed over');
}

/** A rollout that we have shortened. */
async function checkShortened(
  { name, text, style }: { name: string; text: string; style: 'own' | 'pair' },
  at: CodexHome,
  service: Service,
): Promise<void> {
  const id = '019f0000-0000-7000-8000-000000000001';
  const rollout = `rollout-2026-06-01T09-00-00-${id}.jsonl`;
  const { folder } = placeForAgent('codex', { project: at.folder, env: { CODEX_HOME: at.home } });
  const file = path.join(folder, pathForAgent('codex', rollout));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  const { outcome } = await compactFile(file, { maxLines: 5, keepTurns: 2, style, archive });
  assert.equal(outcome, 'shortened');
  const mine = await said(file);
  const theirs = await goOn(at, id, { service });
  assert.deepEqual(theirs, mine, `Codex goes on with something else: ${name}, shortened as ${style}`);
  console.log(`Codex goes on with what was shortened, as ${style}: ${name} (${theirs.length} pieces)`);
}

/** What it compacts by itself is a compaction here, without the words by which it knows one. */
async function checkItsCompaction(at: CodexHome): Promise<void> {
  const { id, file } = await startItself(at);
  await runCodex(at, ['exec', 'resume', '--skip-git-repo-check', id, 'And now?']);
  assert.deepEqual(await said(file), ['summary', 'user: And now?', `assistant: ${ANSWER}`]);
  const store = createMemoryStore();
  const [report] = await importSource(store, textSource(readFileSync(file)), { format: CODEX, file });
  const entries = await store.read(report!.id, { only: 'notes' });
  const summaries = entries.flatMap(({ body }) =>
    body.kind === 'compaction' ? [body.summary.overview] : [],
  );
  assert.deepEqual([summaries, report!.unknownKept], [[ANSWER], 0]);
  console.log('What Codex compacts by itself is read as a compaction');
}

async function startItself(at: CodexHome): Promise<{ id: string; file: string }> {
  const started = await runCodex(at, ['exec', '--json', '--skip-git-repo-check', 'Question 0: why?']);
  const id = /"thread_id":"([^"]+)"/.exec(started)![1]!;
  const [name] = globSync(`sessions/**/*${id}.jsonl`, { cwd: at.home });
  return { id, file: path.join(at.home, name!) };
}

/** A session that it has made and indexed itself, compactions included; read, then shortened, then gone on with. */
async function checkItsOwn(style: 'own' | 'pair', at: CodexHome, service: Service): Promise<void> {
  const { id, file } = await startItself(at);
  for (let n = 1; n < 8; n++)
    await runCodex(at, ['exec', 'resume', '--skip-git-repo-check', id, `Question ${n}: why?`]);
  const whole = await said(file);
  assert.deepEqual(
    whole,
    Array.from({ length: 8 }, (_, n) => [`user: Question ${n}: why?`, `assistant: ${ANSWER}`]).flat(),
  );
  service.asked.splice(0);
  const { outcome } = await compactFile(file, { maxLines: 5, keepTurns: 2, style, archive });
  assert.equal(outcome, 'shortened');
  const mine = await said(file);
  const theirs = await goOn(at, id, { service });
  assert.deepEqual(theirs, mine, `Codex goes on with something else: its own, shortened as ${style}`);
  console.log(
    `Codex goes on with a session of its own that was shortened, as ${style} (${theirs.length} pieces)`,
  );
}

async function said(file: string): Promise<string[]> {
  const store = createMemoryStore();
  const [report] = await importSource(store, textSource(readFileSync(file)), { format: CODEX, file });
  return ours(store, report!.id);
}
