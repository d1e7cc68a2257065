import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type AgentSearchOptions, benchAgentSearch } from './agent-search.ts';
import { benchAnswerability } from './answerability.ts';
import { benchAppend } from './append.ts';
import { benchContext } from './context.ts';
import { benchCost } from './cost.ts';
import { benchDigest } from './digest.ts';
import { benchListAndFork } from './list-and-fork.ts';
import type { Row } from './measure.ts';
import { benchProbes, type ProbeOptions } from './probes.ts';
import { benchPromptCache } from './prompt-cache.ts';
import { benchRecall } from './recall.ts';
import { benchRecallMillion } from './recall-million.ts';
import { benchReopen } from './reopen.ts';
import { benchServer } from './server.ts';
import { benchStart } from './start.ts';
import { benchTokens } from './tokens.ts';
import { benchGigabyte, benchTranscripts } from './transcripts.ts';
import { benchWork } from './work.ts';

// npm run bench [-- name …] [--write]: runs all tables or the named ones; --write puts them into docs/benchmarks.md, in the
// place of what was measured there before. Of the probes: --data, --probes, --only, --keep. Of recall: --data, a folder of
// other chats. Of recall and agent-search: --model, a folder with the sentence model in its node_modules.
const PAGE = 'docs/benchmarks.md';

/** `slow` ones run only when they are asked for by name. */
const TABLES: Record<
  string,
  { title: string; slow?: true; run(options: ProbeOptions & AgentSearchOptions): Promise<Row[]> }
> = {
  append: { title: 'Appending', run: benchAppend },
  start: { title: 'Starting', run: benchStart },
  reopen: { title: 'Going on', run: () => benchReopen() },
  context: { title: 'Building a context', run: () => benchContext() },
  cache: { title: 'Prompt caches', run: () => benchPromptCache() },
  cost: { title: 'What a session costs', slow: true, run: benchCost },
  list: { title: 'Listing and forking', run: benchListAndFork },
  tokens: { title: 'Counting tokens', run: () => benchTokens() },
  probes: { title: 'Going on from a summary', run: benchProbes },
  digest: { title: 'The digest', run: benchDigest },
  answerability: { title: 'Answering from a tenth of the conversation', run: benchAnswerability },
  recall: { title: 'Recall', run: benchRecall },
  'agent-search': { title: 'Searching sessions of agents', run: benchAgentSearch },
  server: { title: 'The server', run: benchServer },
  transcripts: { title: 'Transcripts', run: benchTranscripts },
  work: { title: 'Work loops', run: benchWork },
  gigabyte: { title: 'A gigabyte of transcript', slow: true, run: benchGigabyte },
  million: { title: 'A million messages', slow: true, run: () => benchRecallMillion() },
};

const { positionals: asked, values } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean' },
    data: { type: 'string' },
    probes: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'string' },
    model: { type: 'string' },
  },
});
const names = asked.length > 0 ? asked : Object.keys(TABLES).filter((name) => !TABLES[name]!.slow);
const sections: string[] = [];
for (const name of names) {
  const table = TABLES[name];
  if (!table) throw new Error(`No table "${name}". There are: ${Object.keys(TABLES).join(', ')}.`);
  const section = `## ${table.title}\n\n${toMarkdown(await table.run(values))}`;
  console.log(`${section}\n`);
  sections.push(section);
}
if (values.write) writeFileSync(PAGE, sections.reduce(put, readFileSync(PAGE, 'utf8')));

function toMarkdown(rows: readonly Row[]): string {
  const mark = (met: boolean | undefined) => (met === undefined ? '' : met ? 'yes' : '**no**');
  const lines = rows.map(
    ({ work, value, target, met }) => `| ${work} | ${value} | ${target} | ${mark(met)} |`,
  );
  return ['| work | measured | target | met |', '|---|---|---|---|', ...lines].join('\n');
}

/** Replaces the section of the same title, or adds it at the end. */
function put(page: string, section: string): string {
  const title = section.slice(0, section.indexOf('\n') + 1);
  const [head, ...old] = page.split(/^(?=## )/m);
  const kept = old.map((part) => (part.startsWith(title) ? `${section}\n\n` : part));
  if (!old.some((part) => part.startsWith(title))) kept.push(`\n${section}\n`);
  return `${[head, ...kept].join('').trimEnd()}\n`;
}
