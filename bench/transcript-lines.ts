import { messageAt } from './messages.ts';

type Fields = Record<string, unknown>;

/** Files of other agents, made up: a turn is a question, two replies with a call each, their results and an answer. */
export const LINES: Readonly<Record<'claude-code' | 'pi' | 'codex', (turn: number) => string[]>> = {
  'claude-code': claudeTurn,
  pi: piTurn,
  codex: codexTurn,
};

const time = (n: number) => new Date(1_760_000_000_000 + n * 1000).toISOString();
const uuid = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
const short = (n: number) => (0x10000000 + n).toString(16);

/**
 * The words of the n-th message of a kind: 0 asks, 1 answers, 2 is what a tool gave back. Agents talk about code, so
 * there are line breaks, quotes and a few other letters in them.
 */
function words(turn: number, n: number, kind: 0 | 1 | 2): string {
  const [part] = messageAt((turn * 7 + n) * 3 + kind).parts;
  const { text, output } = part as { text?: string; output?: { value: string } };
  return (text ?? output!.value).replace(/ (?:and|in|by) /g, '\n\t"name": "').replaceAll('while', '– „so“ …');
}

function claudeTurn(turn: number): string[] {
  const lines: string[] = [];
  const first = turn * 20;
  let last = first === 0 ? null : uuid(first - 1);
  const add = (n: number, type: string, fields: Fields) => {
    const frame = { parentUuid: last, isSidechain: false, userType: 'external', cwd: '/home/sally/shop' };
    const id = uuid(first + n);
    const rest = { sessionId: uuid(0xffff), version: '2.1.72', gitBranch: 'main', type, ...fields };
    lines.push(JSON.stringify({ ...frame, ...rest, uuid: id, timestamp: time(first + n) }));
    last = id;
  };
  const usage = {
    input_tokens: 4,
    cache_creation_input_tokens: 100,
    cache_read_input_tokens: 900,
    output_tokens: 50,
  };
  const reply = (n: number, name: string, block: Fields) =>
    add(n, 'assistant', {
      message: {
        model: 'claude-sonnet-4-5',
        id: name,
        type: 'message',
        role: 'assistant',
        content: [block],
        stop_reason: null,
        usage,
      },
      requestId: `req_${name}`,
    });
  add(0, 'user', { message: { role: 'user', content: words(turn, 0, 0) } });
  for (const step of [1, 2]) {
    const name = `msg_${turn}_${step}`;
    const call = `toolu_${turn}_${step}`;
    reply(step * 4, name, { type: 'thinking', thinking: words(turn, step, 0), signature: 'c2ln'.repeat(40) });
    reply(step * 4 + 1, name, {
      type: 'tool_use',
      id: call,
      name: 'Read',
      input: { file_path: `/src/${turn}.ts` },
    });
    const content = words(turn, step, 2);
    add(step * 4 + 2, 'user', {
      message: { role: 'user', content: [{ tool_use_id: call, type: 'tool_result', content }] },
      toolUseResult: { type: 'text', file: { filePath: `/src/${turn}.ts`, numLines: 200 } },
    });
  }
  reply(18, `msg_${turn}_3`, { type: 'text', text: words(turn, 3, 1) });
  add(19, 'system', { subtype: 'turn_duration', durationMs: 900, isMeta: true });
  return lines;
}

function piTurn(turn: number): string[] {
  const lines: string[] = [];
  if (turn === 0)
    lines.push(
      JSON.stringify({ type: 'session', version: 3, id: uuid(0xfffe), timestamp: time(0), cwd: '/shop' }),
    );
  const first = turn * 10;
  let last = first === 0 ? null : short(first - 1);
  const add = (n: number, message: Fields) => {
    const id = short(first + n);
    lines.push(JSON.stringify({ type: 'message', id, parentId: last, timestamp: time(first + n), message }));
    last = id;
  };
  const cost = { input: 0.1, output: 0.1, cacheRead: 0.1, cacheWrite: 0.1, total: 0.4 };
  const usage = { input: 4, output: 50, cacheRead: 900, cacheWrite: 100, totalTokens: 1054, cost };
  const reply = (n: number, content: Fields[]) =>
    add(n, {
      ...{
        role: 'assistant',
        content,
        api: 'anthropic-messages',
        provider: 'anthropic',
        model: 'claude-opus-4-5',
      },
      ...{ usage, stopReason: 'toolUse', timestamp: 1_760_000_000_000 + n },
    });
  add(0, { role: 'user', content: [{ type: 'text', text: words(turn, 0, 0) }], timestamp: 1 });
  for (const step of [1, 2]) {
    const id = `call_${turn}_${step}`;
    const thinking = {
      type: 'thinking',
      thinking: words(turn, step, 0),
      thinkingSignature: 'c2ln'.repeat(40),
    };
    reply(step * 2, [
      thinking,
      { type: 'toolCall', id, name: 'read', arguments: { path: `/src/${turn}.ts` } },
    ]);
    const content = [{ type: 'text', text: words(turn, step, 2) }];
    add(step * 2 + 1, {
      role: 'toolResult',
      toolCallId: id,
      toolName: 'read',
      content,
      details: {},
      isError: false,
      timestamp: 2,
    });
  }
  reply(9, [{ type: 'text', text: words(turn, 3, 1) }]);
  return lines;
}

function codexTurn(turn: number): string[] {
  const lines: string[] = [];
  const add = (type: string, payload: Fields) =>
    lines.push(JSON.stringify({ timestamp: time(turn * 20 + lines.length), type, payload }));
  if (turn === 0)
    add('session_meta', { id: uuid(0xfffd), timestamp: time(0), cwd: '/shop', originator: 'codex_cli_rs' });
  const message = (role: string, text: string) =>
    add('response_item', {
      type: 'message',
      role,
      content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
    });
  const asked = words(turn, 0, 0);
  message('user', asked);
  add('event_msg', { type: 'user_message', message: asked });
  for (const step of [1, 2]) {
    const call_id = `call_${turn}_${step}`;
    add('response_item', { type: 'reasoning', summary: [], encrypted_content: 'c2ln'.repeat(100) });
    add('response_item', {
      type: 'function_call',
      name: 'shell',
      arguments: `{"command":"cat ${turn}.ts"}`,
      call_id,
    });
    add('response_item', { type: 'function_call_output', call_id, output: words(turn, step, 2) });
    const last_token_usage = {
      input_tokens: 900,
      cached_input_tokens: 800,
      output_tokens: 50,
      total_tokens: 950,
    };
    add('event_msg', {
      type: 'token_count',
      info: { total_token_usage: { total_tokens: turn * 3 + step }, last_token_usage },
    });
  }
  const said = words(turn, 3, 1);
  add('event_msg', { type: 'agent_message', message: said });
  message('assistant', said);
  return lines;
}
