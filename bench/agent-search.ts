import { createMemoryStore } from '../src/index.ts';
import { openRecall } from '../src/search/index.ts';
import { openSentenceModel } from '../src/search/meaning/sentence-model.ts';
import type { Embedder } from '../src/search/recall.ts';
import {
  answersTo,
  importTranscripts,
  messagesOf,
  readQuestions,
  type SaidMessage,
} from './agent-sessions.ts';
import { bareSearch, fusedSearch, type Search } from './bare-search.ts';
import { type Asked, countFound, type Found, sayFound } from './found.ts';
import type { Row } from './measure.ts';
import { choosePasted } from './pasted-lines.ts';

export interface AgentSearchOptions {
  /** A folder whose node_modules have the sentence model; without it the rows that need it are left out. */
  readonly model?: string;
}

const PASTED = 60;
const LEAST_PASTED_FIRST = 0.95;
const LEAST_GAIN = 1.15;

/** Lines that people paste and questions that they ask, over real sessions of agents in one store. */
export async function benchAgentSearch({ model }: AgentSearchOptions = {}): Promise<Row[]> {
  await using store = createMemoryStore();
  if (!(await importTranscripts(store)))
    return [{ work: 'sessions of agents', value: 'the transcripts are not beside the project', target: '' }];
  const messages = await messagesOf(store);
  const pasted: Asked[] = choosePasted(messages, PASTED).map(({ line, holders }) => ({
    query: line,
    right: holders,
  }));
  const questions: Asked[] = readQuestions().map((question) => ({
    query: question.question,
    right: answersTo(question, messages),
  }));
  await using recall = await openRecall(store);
  await recall.catchUp();
  const ours =
    (by: 'both' | 'words'): Search =>
    async (query, limit) =>
      (await recall.search(query, { by, limit })).map(({ entry }) => entry);
  const bare = await bareSearches(messages, model && (await openSentenceModel({ folder: model })));
  const rows: Row[] = [];
  const best = { first: 0, in5: 0 };
  for (const [name, search] of bare) {
    const found = await countFound(questions, search);
    if (!name.includes('sentence')) {
      best.first = Math.max(best.first, found.first);
      best.in5 = Math.max(best.in5, found.in5);
    }
    rows.push(row(`pasted lines: ${name}`, await countFound(pasted, search)));
    rows.push(row(`questions: ${name}`, found));
  }
  const wanted = { first: Math.ceil(best.first * LEAST_GAIN), in5: Math.ceil(best.in5 * LEAST_GAIN) };
  for (const by of ['words', 'both'] as const) {
    const name = by === 'words' ? 'words only' : 'words and meaning, the default';
    const lines = await countFound(pasted, ours(by));
    const found = await countFound(questions, ours(by));
    rows.push({
      ...row(`pasted lines: ${name}`, lines),
      target: `first ≥ ${Math.ceil(LEAST_PASTED_FIRST * lines.of)}, in ten ${lines.of}`,
      met: lines.first >= LEAST_PASTED_FIRST * lines.of && lines.in10 === lines.of,
    });
    rows.push({
      ...row(`questions: ${name}`, found),
      ...(by === 'both' && {
        target: `first ≥ ${wanted.first}, in five ≥ ${wanted.in5}`,
        met: found.first >= wanted.first && found.in5 >= wanted.in5,
      }),
    });
  }
  return rows;
}

async function bareSearches(
  messages: readonly SaidMessage[],
  embedder: Embedder | undefined | '',
): Promise<[string, Search][]> {
  const plain = bareSearch(messages, 'unicode61');
  const stemmed = bareSearch(messages, 'porter unicode61');
  return [
    ['bare FTS5, bm25', plain],
    ['bare FTS5, bm25, stemmed', stemmed],
    ...(embedder
      ? [
          [
            'bare FTS5, stemmed, and a sentence model',
            await fusedSearch(messages, stemmed, embedder),
          ] satisfies [string, Search],
        ]
      : []),
  ];
}

function row(work: string, found: Found): Row {
  return { work, value: sayFound(found), target: '' };
}
