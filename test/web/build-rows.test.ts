import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildRows, type Shown } from '../../web/timeline/build-rows.ts';
import type { ShownCompaction, ShownMessage } from '../../web/timeline/shown.ts';

const NOON = new Date(2026, 2, 11, 12).getTime();

function message(seq: number, fields: Partial<ShownMessage> = {}): ShownMessage {
  return {
    id: `m${seq}`,
    seq,
    at: NOON + seq * 1000,
    role: 'user',
    parts: [{ type: 'text', text: `Message ${seq}` }],
    tokens: 5,
    status: 'complete',
    model: undefined,
    usage: undefined,
    pinned: false,
    excluded: false,
    steers: false,
    ...fields,
  };
}

const call = (seq: number, id = `c${seq}`) =>
  message(seq, {
    role: 'assistant',
    parts: [{ type: 'tool-call', toolCallId: id, toolName: 'bash', input: {} }],
  });
const result = (seq: number, id: string) =>
  message(seq, {
    role: 'tool',
    parts: [{ type: 'tool-result', toolCallId: id, toolName: 'bash', output: { type: 'text', value: 'ok' } }],
  });

function compaction(
  id: string,
  from: number,
  to: number,
  fields: Partial<ShownCompaction> = {},
): ShownCompaction {
  return {
    id,
    level: 1,
    covers: { from, to },
    children: [],
    status: 'collapsed',
    by: { kind: 'digest' },
    retention: 1,
    messages: to - from + 1,
    tokensBefore: 100,
    tokensAfter: 10,
    at: NOON,
    summary: '',
    ...fields,
  };
}

function shown(fields: Partial<Shown>): Shown {
  return {
    origin: undefined,
    messages: [],
    fromStart: true,
    toEnd: true,
    compactions: [],
    originals: new Map(),
    live: false,
    ...fields,
  };
}

const kinds = (fields: Partial<Shown>) => buildRows(shown(fields)).map(({ kind }) => kind);

describe('the rows of a timeline', () => {
  it('put a card where the messages stood that it covers', () => {
    const rows = buildRows(
      shown({ messages: [message(1), message(8)], compactions: [compaction('a', 2, 7)] }),
    );
    expect(rows.map(({ key }) => key)).toEqual(['start', 'm1', 'card a', 'm8']);
  });

  it('put what a card stands for under it when it is open, and leave the rest as it was', () => {
    const originals = new Map([['a', { messages: [message(2), message(3)], earlier: false, more: true }]]);
    expect(kinds({ messages: [message(8)], compactions: [compaction('a', 2, 7)], originals })).toEqual([
      'start',
      'card',
      'message',
      'message',
      'more',
      'card-end',
      'message',
    ]);
  });

  it('show no card that a higher one covers, and of expanded ones the outermost', () => {
    const compactions = [
      compaction('a', 1, 3, { status: 'covered' }),
      compaction('b', 4, 6, { status: 'expanded' }),
      compaction('c', 1, 6, { status: 'expanded', level: 2, children: ['a', 'b'] }),
    ];
    const rows = buildRows(shown({ messages: [message(2)], compactions }));
    expect(rows.map(({ key }) => key)).toEqual(['start', 'card c', 'm2']);
  });

  it('put tools together, with their results', () => {
    const rows = buildRows(
      shown({ messages: [message(1), call(2), result(3, 'c2'), call(4), result(5, 'c4'), message(6)] }),
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['start', 'message', 'tools', 'message']);
    const tools = rows[2]!;
    expect(tools.kind === 'tools' && tools.uses.map((use) => use.result?.output)).toEqual(['ok', 'ok']);
  });

  it('say a day once, and not on a page from the middle', () => {
    const messages = [message(1), message(2), message(3, { at: NOON + 86_400_000 })];
    const days = (fromStart: boolean) =>
      buildRows(shown({ messages, fromStart }))
        .filter(({ day }) => day !== undefined)
        .map(({ key }) => key);
    expect(days(true)).toEqual(['m1', 'm3']);
    expect(days(false)).toEqual(['m3']);
  });

  const history = fc
    .array(fc.constantFrom('say', 'call'), { minLength: 1, maxLength: 60 })
    .map((steps) =>
      steps.flatMap((step, index) =>
        step === 'say'
          ? [message(index * 2 + 1)]
          : [call(index * 2 + 1), result(index * 2 + 2, `c${index * 2 + 1}`)],
      ),
    );

  it('keep every row that is shown when an older page is added before it', () => {
    fc.assert(
      fc.property(history, fc.nat(), (messages, at) => {
        const cut = at % messages.length;
        const half = buildRows(shown({ messages: messages.slice(cut), fromStart: false }));
        const whole = buildRows(shown({ messages }));
        const keys = new Set(whole.map(({ key }) => key));
        fc.pre(half.length > 1 || half[0]?.kind !== 'tools');
        expect(half.filter(({ key }) => !keys.has(key))).toEqual([]);
      }),
    );
  });

  it('give each row a distinct key, and lose no message and no call', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const rows = buildRows(shown({ messages }));
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
        const uses = rows.flatMap((row) => (row.kind === 'tools' ? row.uses : []));
        expect(uses).toHaveLength(messages.filter(({ role }) => role === 'assistant').length);
        expect(rows.filter(({ kind }) => kind === 'message')).toHaveLength(
          messages.filter(({ role }) => role === 'user').length,
        );
      }),
    );
  });
});
