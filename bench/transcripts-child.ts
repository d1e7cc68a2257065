// In a process of its own: imports a huge file, or exports the session it became, and says what memory that took at most.
import { staySmall } from '../src/faces/cli/stay-small.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { exportSession, formatNamed, importSource, openSource } from '../src/transcripts/index.ts';

const [, , what, file, database] = process.argv as unknown as [
  string,
  string,
  'import' | 'export',
  string,
  string,
];
// As the commands do.
staySmall();
await using store = await openSqliteStore(database, { durability: 'normal' });
const start = performance.now();
if (what === 'import') {
  const [report] = await importSource(store, await openSource(file), {
    format: formatNamed('claude-code'),
    file,
  });
  if (!report || report.damage > 0) throw new Error(`bug: ${JSON.stringify(report)}`);
} else {
  const { sessions } = await store.list({ limit: 1 });
  let bytes = 0;
  for await (const { text } of exportSession(store, sessions[0]!, { format: 'claude-code' }))
    bytes += text.length;
  if (bytes < 1e8) throw new Error(`bug: only ${bytes} bytes`);
}
const ms = performance.now() - start;
// In kilobytes, the most that the process ever had.
console.log(JSON.stringify({ rss: process.resourceUsage().maxRSS / 1024, ms }));
