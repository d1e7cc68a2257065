// An agent with a tool and a small window, in a process that is killed in the middle of a turn. The next process goes on
// with that turn; the tool is not run a second time, and what no longer fits in the window is summarised.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  defineTool,
  listCompactions,
  type ModelChoice,
  openAgent,
  openOrCreateSession,
  openStore,
} from 'throughline';
import { z } from 'zod';

const call = {
  type: 'tool-call' as const,
  toolCallId: 'call_1',
  toolName: 'order',
  input: JSON.stringify({ part: 'hinge', count: 40 }),
};
const spoken = (delta: string) => [
  { type: 'text-start' as const, id: '1' },
  { type: 'text-delta' as const, id: '1', delta },
  { type: 'text-end' as const, id: '1' },
];
// Any model of the AI SDK will do, or a name such as 'anthropic'. The digest summarises without a model.
const choices = { model: scripted(), window: 3_000, compaction: { summariser: 'digest' } } as const;

const [file] = process.argv.slice(2);
if (file === undefined) await watchItDie();
else await orderAndHang(file);

/** The process that is killed: the order is out, and the tool has not come back. */
async function orderAndHang(database: string): Promise<void> {
  await using store = await openStore(database);
  await using session = await openOrCreateSession(store, 'workshop');
  await using agent = await openAgent(session, {
    ...choices,
    tools: { order: order(() => process.stdout.write('ordered\n')) },
  });
  for (let shelf = 1; shelf <= 12; shelf++)
    await agent.send(`Shelf ${shelf} holds ${shelf * 7} hinges. ${'It was counted twice. '.repeat(60)}`);
  await agent.send('Please order 40 hinges.');
}

async function watchItDie(): Promise<void> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'throughline-example-'));
  const database = path.join(folder.path, 'throughline.db');
  const child = spawn(process.execPath, [import.meta.filename, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');

  await using store = await openStore(database);
  await using session = await openOrCreateSession(store, 'workshop');
  let orders = 0;
  await using agent = await openAgent(session, { ...choices, tools: { order: order(() => orders++) } });
  assert.equal(agent.left.closed.length, 1);
  const { status, text } = await agent.continue();
  assert.equal(status, 'complete');
  assert.equal(orders, 0);

  const compactions = await listCompactions(store, session.info);
  assert(compactions.length > 0);
  const { context } = await agent.context();
  assert(context.tokens < choices.window);
  console.log(`${text}\n${compactions.length} compactions, ${context.tokens} tokens in the context`);
}

function order(onOrder: () => void) {
  return defineTool({
    description: 'Orders parts from the supplier',
    inputSchema: z.object({ part: z.string(), count: z.number() }),
    execute({ part, count }) {
      assert.equal(`${count} ${part}`, '40 hinge');
      onOrder();
      return wait(60_000); // a supplier who does not answer
    },
  });
}

/** Stands for a model, so that the example is the same every time: it orders once it is asked to, and else takes note. */
function scripted(): ModelChoice {
  return {
    specificationVersion: 'v4',
    provider: 'script',
    modelId: 'example',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('turns are streamed')),
    async doStream({ prompt }) {
      const newest = prompt.at(-1);
      const orders = newest?.role === 'user' && JSON.stringify(newest.content).includes('order 40 hinges');
      const said = newest?.role === 'tool' ? 'I cannot tell whether the order went out.' : 'Noted.';
      return {
        stream: ReadableStream.from([
          { type: 'stream-start' as const, warnings: [] },
          ...(orders ? [call] : spoken(said)),
          {
            type: 'finish' as const,
            finishReason: { unified: orders ? ('tool-calls' as const) : ('stop' as const), raw: undefined },
            usage: {
              inputTokens: {
                total: undefined,
                noCache: undefined,
                cacheRead: undefined,
                cacheWrite: undefined,
              },
              outputTokens: { total: undefined, text: undefined, reasoning: undefined },
            },
          },
        ]),
      };
    },
  };
}
