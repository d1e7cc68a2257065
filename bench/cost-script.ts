import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isThroughlineError } from '../src/errors.ts';
import { countText, createMemoryStore, importFile, type Message, openSession } from '../src/index.ts';

/** A session to replay: its messages, and the facts that its last request has to hold. */
export interface Script {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly facts: readonly { readonly text: string; readonly value: string }[];
}

const TURNS = 500;
const EVERY = 25;
const RESULT_TOKENS = 2_250;
const ANSWER_TOKENS = 300;
const WORDS =
  'the store keeps every entry in order and a reader finds it again by number while each writer waits for its lease'.split(
    ' ',
  );

/** An agent at work: 500 turns of three requests, 1,800 tokens more in each, and a decision in every 25th turn. */
export function plantedScript(turns = TURNS): Script {
  const facts: { text: string; value: string }[] = [];
  const messages: Message[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const isPlanted = turn % EVERY === 7;
    const value = `${8_000 + turn * 3}`;
    if (isPlanted) facts.push({ text: `The billing worker ${turn} listens on port ${value}.`, value });
    const told = isPlanted ? ` Decision: the billing worker ${turn} listens on port ${value}.` : '';
    messages.push(said('user', `Go on with part ${turn} of the work.${told}`));
    for (let step = 0; step < 2; step++) {
      const toolCallId = `call-${turn}-${step}`;
      const input = { path: `src/part-${turn}/file-${step}.ts` };
      messages.push({
        kind: 'message',
        role: 'assistant',
        parts: [
          { type: 'text', text: prose(turn * 7 + step, ANSWER_TOKENS - 30) },
          { type: 'tool-call', toolCallId, toolName: 'read', input },
        ],
      });
      const output = { type: 'text', value: prose(turn * 11 + step, RESULT_TOKENS) };
      messages.push({
        kind: 'message',
        role: 'tool',
        parts: [{ type: 'tool-result', toolCallId, toolName: 'read', output }],
      });
    }
    messages.push(said('assistant', prose(turn * 13, ANSWER_TOKENS)));
  }
  return { name: `${turns} turns`, messages, facts };
}

function said(role: 'user' | 'assistant', text: string): Message {
  return { kind: 'message', role, parts: [{ type: 'text', text }] };
}

export function prose(seed: number, tokens: number): string {
  let text = `Part ${seed}:`;
  let count = 4;
  for (let at = seed; count < tokens; at = (at * 31 + 7) % 10_007, count++)
    text += ` ${WORDS[at % WORDS.length]}`;
  return text;
}

const LEAST_TOKENS = 60_000;

/** The sessions of a folder that are long enough to be compacted, with their questions, answers and results alone. */
export async function importedScripts(folder: string): Promise<Script[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const scripts: Script[] = [];
  for (const file of files) {
    const source = path.join(file.parentPath, file.name);
    const { size, mtimeMs } = statSync(source);
    await using store = createMemoryStore();
    const outcome = await importFile(store, { path: source, named: true, size, mtimeMs }).catch((error) => {
      if (!isThroughlineError(error)) throw error;
      return undefined;
    });
    for (const { id } of outcome?.reports ?? []) {
      await using session = await openSession(store, id, { mode: 'read' });
      const messages: Message[] = [];
      for await (const entry of session.entries()) {
        const { body } = await session.whole(entry);
        if (body.kind === 'message' && body.role !== 'system') messages.push(bare(body));
      }
      const begin = messages.findIndex(({ role }) => role === 'user');
      const script = { name: file.name, messages: messages.slice(Math.max(0, begin)), facts: [] };
      if (countText(JSON.stringify(script.messages)) >= LEAST_TOKENS) scripts.push(script);
    }
  }
  return scripts;
}

function bare({ role, parts }: Message): Message {
  return { kind: 'message', role, parts: parts.filter(({ type }) => type !== 'reasoning') };
}
