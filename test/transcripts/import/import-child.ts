// In a process of its own: imports a file, and says when it begins and what it added.
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { formatNamed, importSource, openSource } from '../../../src/transcripts/index.ts';

const [, , database, file] = process.argv as unknown as [string, string, string, string];
await using store = await openSqliteStore(database);
const source = await openSource(file);
console.log('begins');
const [report] = await importSource(store, source, { format: formatNamed('claude-code'), file });
console.log(`added ${report!.added}`);
