import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { benchAppend } from './append.ts';
import { benchContext } from './context.ts';
import { benchDigest } from './digest.ts';
import { benchListAndFork } from './list-and-fork.ts';
import type { Row } from './measure.ts';
import { benchPromptCache } from './prompt-cache.ts';
import { benchReopen } from './reopen.ts';
import { benchTokens } from './tokens.ts';

// npm run bench [-- name …] [--write]: runs all tables or the named ones; --write puts them into docs/benchmarks.md.
const TABLES: Record<string, { title: string; run(): Promise<Row[]> }> = {
  append: { title: 'Appending', run: benchAppend },
  reopen: { title: 'Going on', run: benchReopen },
  context: { title: 'Building a context', run: benchContext },
  cache: { title: 'Prompt caches', run: benchPromptCache },
  list: { title: 'Listing and forking', run: benchListAndFork },
  tokens: { title: 'Counting tokens', run: benchTokens },
  digest: { title: 'The digest', run: benchDigest },
};

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const names = asked.length > 0 ? asked : Object.keys(TABLES);
const sections: string[] = [];
for (const name of names) {
  const table = TABLES[name];
  if (!table) throw new Error(`No table "${name}". There are: ${Object.keys(TABLES).join(', ')}.`);
  const section = `## ${table.title}\n\n${toMarkdown(await table.run())}`;
  console.log(`${section}\n`);
  sections.push(section);
}
if (process.argv.includes('--write')) writeFileSync('docs/benchmarks.md', page(sections));

function toMarkdown(rows: readonly Row[]): string {
  const mark = (met: boolean | undefined) => (met === undefined ? '' : met ? 'yes' : '**no**');
  const lines = rows.map(
    ({ work, value, target, met }) => `| ${work} | ${value} | ${target} | ${mark(met)} |`,
  );
  return ['| work | measured | target | met |', '|---|---|---|---|', ...lines].join('\n');
}

function page(tables: readonly string[]): string {
  return `# Benchmarks

Ratios, not records: each row was measured against the raw limit in the same run, the contenders taking turns, as the
median of several rounds. "Raw" is the same rows through bare \`node:sqlite\` prepared statements in WAL mode, without an
id index and without a session row; messages are a mix of 200 B questions, 2 KB answers and 8 KB tool results.
Rerun with \`npm run bench -- --write\`.

Last run on Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}.

${tables.join('\n\n')}
`;
}
