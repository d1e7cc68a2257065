// Prints the source files that run in one offline turn of an agent on a SQLite store, by coverage. The turns before it have
// loaded everything, and the store is quiet. With the argument `project` the session has a system prompt and belongs to a
// project that has an instruction file and a fact.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session as Inspector } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addFact, createSession, openAgent, openStore, placeFolder, type Store } from '../../src/index.ts';

const inProject = process.argv[2] === 'project';

async function makeProject(store: Store, top: string) {
  writeFileSync(path.join(top, 'AGENTS.md'), 'Be brief.\n');
  const { project } = await placeFolder(store, top);
  await addFact(store, project, 'The database is PostgreSQL.', { source: { by: 'person' } });
  return { project: top, settings: { systemPrompt: 'Answer in French.' } };
}

const folder = mkdtempSync(path.join(tmpdir(), 'throughline-'));
try {
  await using store = await openStore(path.join(folder, 'store.db'));
  const birth = inProject ? await makeProject(store, folder) : {};
  await using session = await createSession(store, birth);
  const agent = await openAgent(session, { model: 'offline', folder: inProject ? folder : undefined });
  await agent.send('The port is 8080.');
  await agent.send('The host is called north.');
  const inspector = new Inspector();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await agent.send('Which port is it?');
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const files = result
    .filter(({ url }) => url.includes('/src/'))
    .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
    .map(({ url }) => url.replace(/.*\/src\//, ''));
  console.log(JSON.stringify(files.sort()));
} finally {
  rmSync(folder, { recursive: true });
}
