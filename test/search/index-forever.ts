// Catches up with a store, again and again, until killed; says when it starts and after each batch. "dies" kills it on its way
// to the second batch.
import { writeSync } from 'node:fs';
import { openRecall } from '../../src/search/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';

const [file, times, dies] = process.argv.slice(2) as [string, string?, string?];
const store = await openSqliteStore(file);
const recall = await openRecall(store);
writeSync(1, 'ready\n');
for (let round = 0; times === undefined || round < Number(times); round++) {
  await recall.catchUp({
    onProgress({ done, total }) {
      writeSync(1, `batch ${done}/${total}\n`);
      if (dies) setImmediate(() => process.kill(process.pid, 'SIGKILL'));
    },
  });
}
await recall[Symbol.asyncDispose]();
await store[Symbol.asyncDispose]();
writeSync(1, 'done\n');
