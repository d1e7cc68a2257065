// Runs turns: a tool that is written down before and after, a process that dies in the middle, and what all of it cost.
import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type AgentTool,
  continueTurn,
  createSession,
  type ModelChoice,
  openSession,
  openStore,
  readSpending,
  recoverTurn,
  runTurn,
  sayCost,
  streamTurn,
} from 'throughline';

await using folder = await mkdtempDisposable(path.join(tmpdir(), 'throughline-example-'));
await using store = await openStore(path.join(folder.path, 'throughline.db'));

// With no key and no network, the session itself answers. With a model it is the same call: { model: 'anthropic' }.
{
  await using session = await createSession(store, { id: 'offline' });
  await runTurn(session, 'The token check lives in src/auth/check-token.ts.', { model: 'offline' });
  const { text } = await runTurn(session, 'Where does the token check live?', { model: 'offline' });
  assert.match(text, /^\(offline\)/);
  assert.match(text, /src\/auth\/check-token\.ts/);
}

// Any model of the AI SDK will do; this one follows a script, so that the example is the same every time.
const model = scripted([
  { calls: [{ name: 'send_mail', input: { to: 'sally' } }] },
  { text: 'I asked Sally; whether the mail went out, I cannot tell.' },
]);

let sent = 0;
const dies = new AbortController();
const tools: Record<string, AgentTool> = {
  send_mail: {
    description: 'Sends a mail',
    inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    execute() {
      sent++;
      dies.abort(); // stands for a process that dies right after the mail is out
      return new Promise(() => {});
    },
  },
};

const session = await createSession(store, { id: 'mail' });
const input = { id: '019b6f1c-3f68-7000-9a41-5c0f2b7d8e21', parts: 'Mail Sally about the release.' };
const dead = runTurn(session, input, { model, tools });
await new Promise<void>((resolve) => dies.signal.addEventListener('abort', () => resolve()));
dead.catch(() => {});
await session.close();

// Tomorrow. The question is there, the tool was begun, and nobody knows more: it is never sent a second time.
await using again = await openSession(store, 'mail');
const { closed, unfinished } = await recoverTurn(again);
assert.equal(closed.length, 1);
assert.equal(unfinished?.id, input.id);
const { status, text } = await continueTurn(again, { model, tools });
assert.equal(status, 'complete');
assert.equal(sent, 1);
console.log(text);

// What happens, as it happens.
const seen = new Set<string>();
for await (const event of streamTurn(again, 'Thank you.', { model: 'offline' })) seen.add(event.type);
assert(seen.has('text-delta') && seen.has('turn-end'));

// What it cost is in the log: the offline model costs nothing, and of the script nobody knows the price.
const { combined } = await readSpending(store, again.info);
assert.equal(combined.calls, 3);
console.log(`${combined.calls} calls, ${combined.tokens} tokens, ${sayCost(combined)}`);

interface Line {
  readonly text?: string;
  readonly calls?: readonly { name: string; input: unknown }[];
}

function scripted(lines: readonly Line[]): ModelChoice {
  let next = 0;
  return {
    specificationVersion: 'v4',
    provider: 'script',
    modelId: 'example',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('turns are streamed')),
    async doStream() {
      const { text: said, calls = [] } = lines[next++]!;
      const finishReason = {
        unified: calls.length > 0 ? ('tool-calls' as const) : ('stop' as const),
        raw: undefined,
      };
      return {
        stream: ReadableStream.from([
          { type: 'stream-start' as const, warnings: [] },
          ...(said === undefined
            ? []
            : [
                { type: 'text-start' as const, id: '1' },
                { type: 'text-delta' as const, id: '1', delta: said },
                { type: 'text-end' as const, id: '1' },
              ]),
          ...calls.map(({ name, input: given }, index) => ({
            type: 'tool-call' as const,
            toolCallId: `call_${index}`,
            toolName: name,
            input: JSON.stringify(given),
          })),
          {
            type: 'finish' as const,
            finishReason,
            usage: {
              inputTokens: { total: 120, noCache: 120, cacheRead: undefined, cacheWrite: undefined },
              outputTokens: { total: 12, text: 12, reasoning: undefined },
            },
          },
        ]),
      };
    },
  };
}
