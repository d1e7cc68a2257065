// Files in the shape of Claude Code's, line by line.

export const SESSION = '6f0d2a3e-0000-4000-8000-000000000001';
const START = Date.UTC(2026, 0, 5, 10, 0, 0);

type Fields = Record<string, unknown>;

/** Makes lines that hang on each other, a second apart. */
export function createFile({ session = SESSION }: { session?: string } = {}) {
  const lines: string[] = [];
  let count = 0;
  let last: string | null = null;

  const uuid = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

  function add(type: string, fields: Fields, { parent = last }: { parent?: string | null } = {}): string {
    const id = uuid(++count);
    const timestamp = new Date(START + count * 1000).toISOString();
    const frame = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/sally/shop',
      sessionId: session,
      version: '2.1.72',
      gitBranch: 'main',
    };
    lines.push(JSON.stringify({ ...frame, type, ...fields, uuid: id, timestamp }));
    last = id;
    return id;
  }

  const usage = (output: number) => ({
    input_tokens: 4,
    cache_creation_input_tokens: 100,
    cache_read_input_tokens: 900,
    output_tokens: output,
  });

  return {
    add,
    bare: (fields: Fields) => void lines.push(JSON.stringify(fields)),
    raw: (text: string) => void lines.push(text),
    prompt: (text: string, options?: { parent?: string | null }) =>
      add('user', { message: { role: 'user', content: text } }, options),
    /** One line of a reply; lines of one reply share its id. */
    reply: (
      id: string,
      block: Fields,
      { output = 5, ...options }: { output?: number; parent?: string } = {},
    ) =>
      add(
        'assistant',
        {
          message: {
            model: 'claude-sonnet-4-5',
            id,
            type: 'message',
            role: 'assistant',
            content: [block],
            stop_reason: null,
            stop_sequence: null,
            usage: usage(output),
          },
          requestId: 'req_1',
        },
        options,
      ),
    result: (call: string, content: unknown, options?: { parent?: string }) =>
      add(
        'user',
        {
          message: { role: 'user', content: [{ tool_use_id: call, type: 'tool_result', content }] },
          toolUseResult: { stdout: String(content), stderr: '', interrupted: false },
        },
        options,
      ),
    get last() {
      return last;
    },
    text: () => `${lines.join('\n')}\n`,
    lines: () => lines,
  };
}

export const text = (words: string) => ({ type: 'text', text: words });
export const thinking = (words: string) => ({ type: 'thinking', thinking: words, signature: 'c2ln' });
export const call = (id: string, name: string, input: Fields = {}) => ({ type: 'tool_use', id, name, input });

/** A question, an answer with two calls whose results come in between, and a last word. */
export function ordinary(): string {
  const file = createFile();
  file.bare({
    type: 'file-history-snapshot',
    messageId: 'm1',
    snapshot: { messageId: 'm1', trackedFileBackups: {}, timestamp: '2026-01-05T10:00:00.500Z' },
    isSnapshotUpdate: false,
  });
  file.prompt('Where are prices rounded?');
  file.reply('msg_1', thinking('Probably in the cart.'), { output: 1 });
  file.reply('msg_1', text('I will look.'), { output: 1 });
  const first = file.reply('msg_1', call('toolu_1', 'Grep', { pattern: 'round' }), { output: 1 });
  file.add('progress', { data: { type: 'hook_progress' }, toolUseID: 'toolu_1' });
  file.result('toolu_1', 'cart.ts:12', { parent: first });
  const second = file.reply('msg_1', call('toolu_2', 'Read', { file_path: 'cart.ts' }), { output: 80 });
  file.result('toolu_2', [text('12: round(x)')], { parent: second });
  file.reply('msg_2', text('In cart.ts, line 12.'), { output: 20 });
  file.add('system', { subtype: 'turn_duration', durationMs: 900, isMeta: true });
  const end = file.last;
  file.add('hologram', { depth: 3 });
  file.bare({ type: 'custom-title', customTitle: 'Rounding', sessionId: SESSION });
  file.prompt('Thanks!', { parent: end });
  return file.text();
}

export function compacted(): string {
  const file = createFile();
  file.prompt('Add a coupon field.');
  file.reply('msg_1', text('Done: coupon field added to checkout.ts.'));
  const end = file.last;
  file.add(
    'system',
    {
      logicalParentUuid: end,
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      compactMetadata: { trigger: 'auto', preTokens: 155_000 },
    },
    { parent: null },
  );
  file.add('user', {
    message: { role: 'user', content: 'This session is being continued. A coupon field was added.' },
    isVisibleInTranscriptOnly: true,
    isCompactSummary: true,
  });
  file.prompt('Now test it.');
  file.reply('msg_2', text('Tested.'));
  return file.text();
}

/** The person goes back to the first answer and asks something else; then back again. */
export function branched(): string {
  const file = createFile();
  file.prompt('Sort the list.');
  const answer = file.reply('msg_1', text('With which key?'));
  file.prompt('By price.');
  const first = file.reply('msg_2', text('Sorted by price.'));
  file.prompt('By name.', { parent: answer });
  file.reply('msg_3', text('Sorted by name.'));
  file.prompt('And backwards.', { parent: first });
  file.reply('msg_4', text('Backwards now.'));
  return file.text();
}

/** A sub-agent's lines between those of the conversation it works for. */
export function withSubAgent(): string {
  const file = createFile();
  file.prompt('Find all to-dos.');
  const asked = file.reply('msg_1', call('toolu_1', 'Task', { prompt: 'search' }));
  file.add('user', { isSidechain: true, message: { role: 'user', content: 'search' } }, { parent: null });
  file.add('assistant', {
    isSidechain: true,
    message: { model: 'claude-haiku-4-5', id: 'msg_s', role: 'assistant', content: [text('found 3')] },
  });
  file.result('toolu_1', 'found 3', { parent: asked });
  file.reply('msg_2', text('There are three.'));
  return file.text();
}
