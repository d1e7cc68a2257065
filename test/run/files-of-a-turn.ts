// Prints the source files that run in one offline turn, by coverage. The turn before it has loaded everything.
import { Session as Inspector } from 'node:inspector/promises';
import { createMemoryStore, createSession, runTurn } from '../../src/index.ts';

await using store = createMemoryStore();
await using warm = await createSession(store);
await runTurn(warm, 'The port is 8080.', { model: 'offline' });
await using session = await createSession(store);
await runTurn(session, 'The port is 8080.', { model: 'offline' });
const inspector = new Inspector();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await runTurn(session, 'Which port is it?', { model: 'offline' });
const { result } = await inspector.post('Profiler.takePreciseCoverage');
const files = result
  .filter(({ url }) => url.includes('/src/'))
  .map(({ url, functions }) => ({
    url: url.replace(/.*\/src\//, ''),
    run: functions.filter(({ ranges }) => ranges[0]!.count > 0),
  }))
  .filter(({ run }) => run.length > 0);
console.log(JSON.stringify(files.map(({ url }) => url).sort()));
