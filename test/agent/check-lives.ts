import fc from 'fast-check';
import { expect } from 'vitest';
import { readSpending } from '../../src/agent/index.ts';
import type { ContextMessage } from '../../src/context/index.ts';
import type { Entry, Part } from '../../src/record/index.ts';
import { common } from '../context/provider-rules.ts';
import { anyLife, type Life, live } from './any-behaviour.ts';

const messagesIn = (log: readonly Entry[]) =>
  log.flatMap(({ body }) => (body.kind === 'message' ? [body] : []));

/** Calls without exactly one result before anybody speaks again, and results without a call. */
function torn(log: readonly Entry[]): string[] {
  const wrong: string[] = [];
  let open: unknown[] = [];
  for (const { role, parts } of messagesIn(log)) {
    if (role === 'user' && open.length > 0) wrong.push(`a question over the open calls ${open}`);
    if (role === 'user') open = [];
    for (const { type, toolCallId } of parts) {
      if (type === 'tool-call') open.push(toolCallId);
      if (type !== 'tool-result') continue;
      if (!open.includes(toolCallId)) wrong.push(`a result of ${toolCallId} without a call`);
      else open = open.toSpliced(open.indexOf(toolCallId), 1);
    }
  }
  return open.length > 0 ? [...wrong, `no results of ${open}`] : wrong;
}

/** What a provider would refuse of what it was sent. */
function refusable({ requests }: Life): string[] {
  return requests.flatMap(({ prompt }) => {
    const messages = prompt.filter(({ role }) => role !== 'system') as unknown as ContextMessage[];
    const half = messages.at(-1)?.role === 'assistant' ? ['asked to go on from half an answer'] : [];
    return [...common(messages), ...half];
  });
}

async function promisesBroken(life: Life): Promise<string[]> {
  const { log, acknowledged, painted, surprises, store } = life;
  const ids = log.map(({ id }) => id);
  const messages = messagesIn(log);
  const lost = [...acknowledged].filter((id) => !ids.includes(id));
  const { combined } = await readSpending(store, (await store.session('s'))!);
  const { usage, head } = (await store.session('s'))!;
  const { problems } = await store.verify();
  return [
    ...surprises.map((error) => `nobody foresaw: ${String(error)}`),
    ...(new Set(ids).size < ids.length ? ['an id is there twice'] : []),
    ...lost.map((id) => `the input ${id} was acknowledged and is gone`),
    ...(new Set(painted).size < painted.length ? [`painted twice: ${painted}`] : []),
    ...torn(log),
    ...refusable(life),
    ...(messages.at(-1)?.role === 'assistant' && !messages.at(-1)?.status ? [] : ['it has no end']),
    ...(combined.usage.inputTokens === usage.inputTokens ? [] : ['the sums differ']),
    ...(head === log.length && problems.length === 0 ? [] : ['the log is not sound']),
    ...messages.flatMap(({ parts }) => parts.filter(isBroken).map(({ type }) => `half of a ${type}`)),
  ];
}

/** An answer that was put together from pieces has whole characters, unless the model itself sent half of one. */
const isBroken = ({ type, text }: Part) =>
  type === 'text' &&
  typeof text === 'string' &&
  /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(text.replace(/\ud800$/, '')) &&
  text.includes('ok');

/** Checks every promise against so many random lives of a session. */
export async function checkLives(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyLife, async (episodes) => {
      expect(await promisesBroken(await live(episodes))).toEqual([]);
    }),
    { numRuns },
  );
}
