// Files in the shape of Codex's rollouts, line by line.

const START = Date.UTC(2026, 5, 1, 9, 0, 0);
type Fields = Record<string, unknown>;

export function createRollout({ id = '019f0000-0000-7000-8000-000000000001' } = {}) {
  const lines: string[] = [];
  let used = 0;

  function add(type: string, payload: Fields): void {
    const timestamp = new Date(START + lines.length * 1000).toISOString();
    lines.push(JSON.stringify({ timestamp, type, payload }));
  }
  const item = (payload: Fields) => add('response_item', payload);
  const event = (payload: Fields) => add('event_msg', payload);
  const message = (role: string, text: string) =>
    item({
      type: 'message',
      role,
      content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    });

  add('session_meta', {
    id,
    timestamp: new Date(START).toISOString(),
    cwd: '/home/sally/shop',
    originator: 'codex_cli_rs',
    cli_version: '0.144.0',
    source: 'cli',
    model_provider: 'openai',
  });

  return {
    add,
    item,
    event,
    message,
    context: (model: string) => add('turn_context', { cwd: '/home/sally/shop', model, effort: 'high' }),
    user(text: string): void {
      message('user', text);
      event({ type: 'user_message', message: text, images: [] });
    },
    thought: () => item({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VjcmV0' }),
    assistant(text: string): void {
      event({ type: 'agent_message', message: text });
      message('assistant', text);
    },
    call: (call_id: string, args: string) =>
      item({ type: 'function_call', name: 'shell', arguments: args, call_id }),
    output: (call_id: string, output: unknown) => item({ type: 'function_call_output', call_id, output }),
    /** Counts are told twice, as the program does when its limits change. */
    count(): void {
      used += 100;
      const usage = {
        input_tokens: 80,
        cached_input_tokens: 30,
        output_tokens: 20,
        reasoning_output_tokens: 5,
        total_tokens: 100,
      };
      const info = { total_token_usage: { total_tokens: used }, last_token_usage: usage };
      event({ type: 'token_count', info, rate_limits: { used_percent: 1 } });
      event({ type: 'token_count', info, rate_limits: { used_percent: 2 } });
    },
    text: () => `${lines.join('\n')}\n`,
  };
}

export function ordinary(): string {
  const file = createRollout();
  file.event({ type: 'task_started', turn_id: 't1' });
  file.message('developer', '<permissions instructions>\nBe careful.\n</permissions instructions>');
  file.message('user', '<environment_context>\n<cwd>/home/sally/shop</cwd>\n</environment_context>');
  file.context('gpt-5.2-codex');
  file.user('Which files are there?');
  file.thought();
  file.assistant('I will look.');
  file.call('call_1', '{"command":"ls"}');
  file.call('call_2', '{ "command": "pwd" }');
  file.count();
  file.output('call_1', 'a.ts\nb.ts');
  file.output('call_2', [{ type: 'input_text', text: '/home/sally/shop' }]);
  file.thought();
  file.item({
    type: 'custom_tool_call',
    status: 'completed',
    call_id: 'call_3',
    name: 'exec',
    input: 'ls -la',
  });
  file.item({ type: 'custom_tool_call_output', call_id: 'call_3', output: 'total 2' });
  file.count();
  file.assistant('Two files.');
  file.count();
  file.event({ type: 'task_complete', turn_id: 't1' });
  file.add('hologram', { depth: 3 });
  file.user('Thanks.');
  return file.text();
}

/** One compaction with its text, one that is encrypted. */
export function compacted(): string {
  const file = createRollout();
  file.context('gpt-5.2-codex');
  file.user('Rename the shop.');
  file.assistant('Renamed to Corner Shop.');
  file.add('compacted', { message: 'The shop was renamed.' });
  file.user('And the logo?');
  file.assistant('Changed.');
  file.add('compacted', {
    message: '',
    replacement_history: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Rename the shop.' }] },
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '# AGENTS.md instructions for /x' }],
      },
      { type: 'compaction', encrypted_content: 'c2VjcmV0' },
    ],
  });
  file.event({ type: 'context_compacted' });
  file.user('Done?');
  return file.text();
}

export function rolledBack(): string {
  const file = createRollout();
  file.user('Paint it red.');
  file.assistant('Red.');
  file.user('Paint it green.');
  file.assistant('Green.');
  file.event({ type: 'thread_rolled_back', num_turns: 1 });
  file.add('session_meta', { id: 'again', timestamp: 'x' });
  file.user('Paint it blue.');
  file.assistant('Blue.');
  return file.text();
}

/** The layout of 2025: a header without a type, bare items, and state lines in between. */
export function bare(): string {
  const state = { record_type: 'state' };
  const lines: Fields[] = [
    {
      id: '05997ac9-0000-4000-8000-000000000002',
      timestamp: '2025-08-06T18:02:11.653Z',
      instructions: null,
      git: {},
    },
    state,
    { type: 'message', id: null, role: 'user', content: [{ type: 'input_text', text: 'Fix the test.' }] },
    state,
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Look first.' }],
      encrypted_content: null,
    },
    { type: 'function_call', id: 'fc_1', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' },
    state,
    {
      type: 'function_call_output',
      call_id: 'call_1',
      output: '{"output":"a.ts","metadata":{"exit_code":0}}',
    },
    state,
    state,
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Fixed.' }] },
  ];
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}
