// Adds facts to the project of a folder and prints the id of each once it is acknowledged. Ends after `count`, or never.
import { writeSync } from 'node:fs';
import { isThroughlineError } from '../../src/errors.ts';
import { addFact, editFact, type WrittenFact } from '../../src/project/facts/write-facts.ts';
import { placeFolder } from '../../src/project/projects/list-projects.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';

// Not through the door: this is started again and again, and most of the room is not needed.

const [file, folder, writer, count] = process.argv.slice(2) as [string, string, string, string];
await using store = await openSqliteStore(file);
const source = { by: 'agent', name: writer } as const;
const { project } = await placeFolder(store, folder);
writeSync(1, 'ready\n');
let last: WrittenFact | undefined;
for (let n = 0; n < Number(count); n++) {
  last = await write(n, last);
  if (last) writeSync(1, `${last.repeated ? 'known' : 'added'} ${last.fact.id} ${last.fact.text}\n`);
}

/** Every fifth stands in for the one before it, every third is said by everybody. */
async function write(n: number, before: WrittenFact | undefined): Promise<WrittenFact | undefined> {
  const text = n % 3 === 0 ? `Everybody says ${n}` : `${writer} says ${n}`;
  if (!before || n % 5 !== 4) return addFact(store, before?.project ?? project, text, { source });
  try {
    return await editFact(store, before.project, before.fact, `${writer} corrects ${n}`, { source });
  } catch (error) {
    // Somebody else was faster, and said what stands there now.
    if (isThroughlineError(error, 'fact-not-found')) return undefined;
    throw error;
  }
}
