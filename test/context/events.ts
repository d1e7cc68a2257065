import fc from 'fast-check';
import type { EntryBody, Message, Part } from '../../src/record/index.ts';
import { anyJson, anyText } from '../record/arbitraries.ts';

// What happens in conversations, as data, so that a failing one shrinks to the few events that matter.

const GIANT = 'All work and no play makes a long record. '.repeat(50_000); // about 2 MB

/** Any text, from nothing to 2 MB; mostly what people write. */
const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.nat(40).map((words) => 'words that people write '.repeat(words + 1)) },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 50, max: 500 }).map((words) => 'const x = [1, 2]; // 日本語 '.repeat(words)),
  },
  { weight: 3, arbitrary: anyText },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\n', '\ud83d') },
);
const output: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 60, arbitrary: text.map((value) => ({ type: 'text', value })) },
  { weight: 8, arbitrary: anyJson.map((value) => ({ type: 'json', value })) },
  { weight: 3, arbitrary: text.map((value) => ({ type: 'error-text', value })) },
  { weight: 3, arbitrary: fc.constant({ type: 'content', value: [{ type: 'text', text: '' }, image(7)] }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(undefined, null, 'bare', { odd: 1 }, blob('text'), {
      type: 'json',
      value: blob('json'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'text', value: GIANT }) },
);

const said = fc.oneof<fc.MaybeWeightedArbitrary<Part[]>[]>(
  { weight: 80, arbitrary: text.map((one) => [{ type: 'text', text: one }]) },
  { weight: 20, arbitrary: fc.nat(5).map((n) => [{ type: 'text', text: 'Look at this' }, image(n)]) },
  { weight: 10, arbitrary: fc.constant([{ type: 'text', text: blob('text') }]) },
  {
    weight: 10,
    arbitrary: fc.constant([
      { type: 'file', mediaType: 'application/pdf', data: blob('base64') },
      { type: 'scent', of: 'rain' },
    ]),
  },
  { weight: 5, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.constant([{ type: 'text', text: `${GIANT}?` }]) },
);

/** Models that said things; some of them are those that requests go to. */
const model = fc.constantFrom(undefined, 'anthropic:claude', 'openai:gpt', 'google:gemini', 'local:llama');
const status = fc.constantFrom(undefined, undefined, undefined, 'interrupted' as const);
const thought = fc.constantFrom(undefined, undefined, 'signed', 'unsigned');

const call = fc.record({
  name: fc.constantFrom('look', 'run', 'odd.name/with:signs'),
  /** Ids come back in later turns, and some are what only their own provider would take. */
  id: fc.constantFrom('', 'call_1', 'call_2', 'fresh', 'fresh', 'fresh', 'functions.look:0'),
  input: fc.oneof({ weight: 3, arbitrary: fc.constant({ path: 'src/a.ts' }) }, anyJson),
  outputs: fc.oneof({ weight: 6, arbitrary: fc.tuple(output) }, fc.constant([]), fc.tuple(output, output)),
  where: fc.constantFrom('after', 'after', 'after', 'late', 'before', 'inline'),
});

export type Event =
  | { kind: 'ask'; parts: Part[] }
  | {
      kind: 'answer';
      text: string;
      model: string | undefined;
      status: 'interrupted' | undefined;
      thought: string | undefined;
    }
  | {
      kind: 'tools';
      calls: Call[];
      together: boolean;
      model: string | undefined;
      thought: string | undefined;
    }
  | { kind: 'search'; answered: boolean; model: string | undefined }
  | { kind: 'stray'; output: unknown }
  | { kind: 'denied' }
  | { kind: 'note'; text: string };
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

export const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: said.map((parts) => ({ kind: 'ask' as const, parts })) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer' as const), text, model, status, thought }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('tools' as const),
      calls: fc.array(call, { minLength: 1, maxLength: 4 }),
      together: fc.boolean(),
      model,
      thought,
    }),
  },
  fc.record({ kind: fc.constant('search' as const), answered: fc.boolean(), model }),
  fc.record({ kind: fc.constant('stray' as const), output }),
  fc.constant({ kind: 'denied' as const }),
  fc.record({ kind: fc.constant('note' as const), text }),
);

export function bodiesOf(event: Event, index: number): EntryBody[] {
  switch (event.kind) {
    case 'ask':
      return [message('user', marked(event.parts, `[ask ${index}]`))];
    case 'answer': {
      const fields = { model: event.model, status: event.status };
      return [message('assistant', [...thinking(event, index), spoken(event.text, event, index)], fields)];
    }
    case 'tools':
      return toolBodies(event, index);
    case 'search':
      return [message('assistant', searched(event.answered, index), { model: event.model })];
    case 'stray':
      return [message('tool', [result('nowhere', 'look', event.output)])];
    case 'denied':
      return [
        message('assistant', [
          { type: 'tool-call', toolCallId: `d${index}`, toolName: 'run', input: {} },
          { type: 'tool-approval-request', approvalId: `a${index}`, toolCallId: `d${index}` },
        ]),
        message('tool', [
          { type: 'tool-approval-response', approvalId: `a${index}`, approved: false, reason: 'too risky' },
        ]),
      ];
    case 'note':
      return [message('system', [{ type: 'text', text: event.text }])];
  }
}

function toolBodies(event: Event & { kind: 'tools' }, index: number): EntryBody[] {
  const { calls, together, model: by } = event;
  const named = calls.map((one, n) => ({
    ...one,
    // Only a small local model hands out ids that others refuse.
    id:
      one.id === 'fresh' || (by !== undefined && by !== 'local:llama' && /[:.]|^$/.test(one.id))
        ? `id_${index}_${n}`
        : one.id,
    name: by !== undefined && by !== 'local:llama' ? one.name.replace(/[^a-z]/g, '_') : one.name,
  }));
  const parts = named.map(({ id, name, input }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input,
  }));
  const at = (place: string) =>
    named
      .filter(({ where }) => where === place)
      .flatMap(({ id, name, outputs }) => outputs.map((one) => result(id, name, one)));
  const after = at('after');
  const results =
    together && after.length > 0 ? [message('tool', after)] : after.map((part) => message('tool', [part]));
  return [
    ...at('before').map((part) => message('tool', [part])),
    message(
      'assistant',
      [
        ...thinking(event, index),
        spoken(`Calling. [tools ${index}]`, event, index),
        ...parts,
        ...at('inline'),
      ],
      {
        model: by,
      },
    ),
    ...results,
    ...(at('late').length > 0
      ? [message('user', [{ type: 'text', text: `Meanwhile [late ${index}]` }])]
      : []),
    ...at('late').map((part) => message('tool', [part])),
  ];
}

interface Thought {
  readonly thought: string | undefined;
  readonly model: string | undefined;
  readonly status?: string | undefined;
}

/** Providers sign what was thought to its end; only a small local model thinks without. */
function isSigned({ thought: how, model: by, status: state }: Thought): boolean {
  return (
    how === 'signed' ||
    (how === 'unsigned' && by !== undefined && by !== 'local:llama' && state !== 'interrupted')
  );
}

function thinking(event: Thought, index: number): Part[] {
  if (event.thought === undefined) return [];
  const openai = { itemId: `rs_${index}`, reasoningEncryptedContent: 'e' };
  const providerOptions = { openai, anthropic: { signature: `sig_${index}` } };
  return [{ type: 'reasoning', text: `Hm ${index}.`, ...(isSigned(event) && { providerOptions }) }];
}

/** Text that, at OpenAI, belongs to the reasoning before it. */
function spoken(words: string, event: Thought, index: number): Part {
  const providerOptions = { openai: { itemId: `msg_rs_${index}` } };
  return { type: 'text', text: words, ...(isSigned(event) && { providerOptions }) };
}

function searched(answered: boolean, index: number): Part[] {
  const id = `srv_${index}`;
  return [
    {
      type: 'tool-call',
      toolCallId: id,
      toolName: 'web_search',
      input: { query: 'x' },
      providerExecuted: true,
    },
    ...(answered ? [{ ...result(id, 'web_search', { type: 'json', value: [] }) }] : []),
    { type: 'text', text: `Searched [answer ${index}]` },
  ];
}

function result(toolCallId: string, toolName: string, value: unknown): Part {
  return { type: 'tool-result', toolCallId, toolName, output: value };
}

/** A line of its own, so that a rule can tell which message it sees. */
function marked(parts: readonly Part[], label: string): Part[] {
  const [first, ...rest] = parts;
  const isText = first?.type === 'text' && typeof first.text === 'string' && first.text.trim() !== '';
  return isText ? [{ ...first, text: `${label} ${first.text}` }, ...rest] : [...parts];
}

function message(role: Message['role'], parts: Part[], fields: Partial<Message> = {}): Message {
  return { kind: 'message', role, parts, ...fields };
}

function image(n: number): Part {
  return {
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'data', data: Buffer.alloc(60 + n * 997, n).toString('base64') },
  };
}

function blob(as: 'text' | 'json' | 'base64'): Part & { $blob: string } {
  return {
    $blob: 'ab'.repeat(32),
    as,
    bytes: 90_000,
    preview: as === 'base64' ? '' : 'How it begins',
    tokens: 30_000,
  } as never;
}
