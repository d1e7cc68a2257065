// Files in the shape of pi's, record by record.

const START = Date.UTC(2026, 1, 20, 12, 0, 0);
type Fields = Record<string, unknown>;

const USAGE = {
  input: 10,
  output: 20,
  cacheRead: 300,
  cacheWrite: 40,
  totalTokens: 370,
  cost: { input: 0.1, output: 0.2, cacheRead: 0.3, cacheWrite: 0.4, total: 1 },
};

export function createFile({ version = 3, id = 'a1b2c3d4-0000-4000-8000-000000000001' } = {}) {
  const lines: string[] = [];
  let count = 0;
  let last: string | null = null;
  const tree = version > 1;
  const time = () => new Date(START + count * 1000).toISOString();
  const header = tree
    ? { version }
    : { provider: 'anthropic', modelId: 'claude-opus-4-5', thinkingLevel: 'off' };
  lines.push(JSON.stringify({ type: 'session', id, timestamp: time(), cwd: '/home/sally/shop', ...header }));

  function add(type: string, fields: Fields, { parent = last }: { parent?: string | null } = {}): string {
    const name = (0xa0000000 + ++count).toString(16);
    const place = tree ? { id: name, parentId: parent } : {};
    lines.push(JSON.stringify({ type, ...place, timestamp: time(), ...fields }));
    last = name;
    return name;
  }

  const say = (role: string, fields: Fields, options?: { parent?: string | null }) =>
    add('message', { message: { role, ...fields, timestamp: START + count * 1000 } }, options);

  return {
    add,
    say,
    user: (text: string, options?: { parent?: string | null }) =>
      say('user', { content: [{ type: 'text', text }] }, options),
    assistant: (content: readonly Fields[], more: Fields = {}) =>
      say('assistant', {
        content,
        api: 'anthropic-messages',
        provider: 'anthropic',
        model: 'claude-opus-4-5',
        usage: USAGE,
        stopReason: 'stop',
        ...more,
      }),
    result: (toolCallId: string, text: string, more: Fields = {}) =>
      say('toolResult', {
        toolCallId,
        toolName: 'bash',
        content: [{ type: 'text', text }],
        details: { diff: '-a\n+b' },
        isError: false,
        ...more,
      }),
    text: () => `${lines.join('\n')}\n`,
  };
}

export const text = (words: string) => ({ type: 'text', text: words });
export const call = (id: string, args: Fields) => ({ type: 'toolCall', id, name: 'bash', arguments: args });

function conversation(file: ReturnType<typeof createFile>): void {
  file.user('List the files.');
  file.assistant([
    { type: 'thinking', thinking: 'ls will do', thinkingSignature: 'c2ln' },
    text('Sure.'),
    call('call_1', { command: 'ls' }),
  ]);
  file.result('call_1', 'a.ts\nb.ts');
  file.assistant([text('Two files.')]);
  file.say('bashExecution', {
    command: 'pwd',
    output: '/home',
    exitCode: 0,
    cancelled: false,
    truncated: false,
  });
  file.assistant([], {
    stopReason: 'error',
    errorMessage: 'overloaded',
    usage: { ...USAGE, input: 0, output: 0 },
  });
}

export function first(): string {
  const file = createFile({ version: 1 });
  file.add('thinking_level_change', { thinkingLevel: 'high' });
  conversation(file);
  file.add('compaction', { summary: 'Files were listed.', firstKeptEntryIndex: 5, tokensBefore: 900 });
  file.user('Which is newer?');
  file.assistant([text('b.ts')]);
  return file.text();
}

export function tree(): string {
  const file = createFile();
  file.add('model_change', { provider: 'anthropic', modelId: 'claude-opus-4-5' });
  file.add('session_info', { name: 'Files' });
  conversation(file);
  const kept = file.user('Go on.');
  file.assistant([text('Where?')]);
  const here = file.add('compaction', {
    summary: 'The files were listed.',
    firstKeptEntryId: kept,
    tokensBefore: 1200,
    details: { readFiles: ['a.ts'], modifiedFiles: [] },
    usage: USAGE,
    fromHook: false,
  });
  file.user('Left.');
  const left = file.assistant([text('Left it is.')]);
  file.add('custom', { customType: 'state', data: { n: 1 } }, { parent: here });
  file.add('branch_summary', { fromId: left, summary: 'Left was a dead end.' }, { parent: here });
  file.user('Right.');
  file.assistant([text('Right it is.')]);
  file.add('label', { targetId: kept, label: 'start' });
  file.add('hologram', { depth: 3 });
  file.add('custom_message', { customType: 'note', content: 'Mind the gap.', display: true });
  return file.text();
}

/** A custom record beside a question is no branch. */
export function beside(): string {
  const file = createFile();
  const asked = file.user('One?');
  const answered = file.assistant([text('Two.')]);
  file.add('custom', { customType: 'state', data: {} }, { parent: answered });
  file.user('Three?', { parent: answered });
  file.assistant([text('Four.')]);
  file.add('context_edit', { targetId: asked, replacement: null });
  return file.text();
}

/** Somebody went back to before a compaction, and said nothing yet. */
export function takenBack(): string {
  const file = createFile();
  file.user('One?');
  const answered = file.assistant([text('Two.')]);
  const kept = file.user('Three?');
  const end = file.assistant([text('Four.')]);
  file.add('compaction', { summary: `Up to ${answered}.`, firstKeptEntryId: kept, tokensBefore: 90 });
  file.add('custom', { customType: 'state', data: {} }, { parent: end });
  return file.text();
}
