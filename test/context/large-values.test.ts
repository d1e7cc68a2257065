import { describe, expect, it } from 'vitest';
import type { Part } from '../../src/record/index.ts';
import { logOf, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { contextOf, linesOf, marksOf } from './states.ts';

const ref = { $blob: 'ab'.repeat(32), as: 'text', bytes: 90_000, preview: 'It begins', tokens: 30_000 };
const picture = (n: number, side = 8): Part => ({
  type: 'file',
  mediaType: 'image/png',
  data: { type: 'data', data: Buffer.alloc(side * side, n).toString('base64') },
});

describe('values that were set aside', () => {
  it('are sent as their preview, with where the rest is', () => {
    const [entry] = logOf(user([{ type: 'text', text: ref }]));
    const built = contextOf([user([{ type: 'text', text: ref }])]);
    expect(linesOf(built)).toEqual([
      `user: It begins…\n[Only a preview: 90000 bytes in all. Entry ${entry!.id} has the whole.]`,
    ]);
    expect(built.tokens).toBeLessThan(100);
    expect(built.leftOut).toEqual([
      expect.objectContaining({ what: 'large values', reason: 'sent as a preview' }),
    ]);
  });

  it.each([
    ['a tool output', { type: 'text', value: ref }, { type: 'text' }],
    ['a failed output', { type: 'error-json', value: { ...ref, as: 'json' } }, { type: 'error-text' }],
    ['a whole output', ref, { type: 'text' }],
    ['a field of an output', { type: 'json', value: { log: ref } }, { type: 'json' }],
  ])('can be %s', (_, output, sent) => {
    const result = {
      ...toolResult('look', ''),
      parts: [{ type: 'tool-result', toolCallId: 'call_look', toolName: 'look', output }],
    };
    const built = contextOf([user('Go'), toolCall('look'), result]);
    const part = built.messages[2]!.content[0] as unknown as Part;
    expect(part.output).toMatchObject(sent);
    expect(JSON.stringify(part.output)).toMatch(/It begins….*90000 bytes/);
    expect(JSON.stringify(part.output)).not.toContain('$blob');
  });

  it('can be the arguments of a call', () => {
    const built = contextOf([
      user('Go'),
      toolCall('write', { path: 'a', content: ref }),
      toolResult('write', 'ok'),
    ]);
    expect((built.messages[1]!.content[0] as unknown as Part).input).toEqual({
      path: 'a',
      content: expect.stringContaining('It begins'),
    });
  });

  it('are a line of text when they are pictures', () => {
    const image = {
      type: 'file',
      mediaType: 'image/png',
      filename: 'a.png',
      data: { ...ref, as: 'base64', width: 640, height: 480 },
    };
    expect(linesOf(contextOf([user([{ type: 'text', text: 'Look' }, image])]))[0]).toMatch(
      /^user: Look \| \[Not sent: image, 640×480, image\/png, "a\.png", 90000 bytes\. Entry \S+ has it\.\]$/,
    );
  });

  it('are not mistaken for objects of a host with the same key', () => {
    const built = contextOf([user('Go'), toolCall('look'), toolResult('look', { $blob: 5, tokens: 1 })]);
    expect((built.messages[2]!.content[0] as unknown as Part).output).toEqual({
      type: 'json',
      value: '{"$blob":5,"tokens":1}',
    });
  });
});

describe('pictures and files', () => {
  it('are sent as the AI SDK takes them: bytes as base64, addresses as URLs', () => {
    const built = contextOf([
      user([
        { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
        { type: 'image', image: 'https://example.com/a.png' },
        { type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'https://example.com/b.png' } },
        { type: 'file', data: 'AAAA' },
      ]),
    ]);
    expect(built.messages[0]!.content).toEqual([
      { type: 'file', mediaType: 'image/png', data: 'AQID' },
      { type: 'image', image: 'https://example.com/a.png' },
      {
        type: 'file',
        mediaType: 'image/png',
        data: { type: 'url', url: new URL('https://example.com/b.png') },
      },
      { type: 'file', mediaType: 'application/octet-stream', data: 'AAAA' },
    ]);
  });

  it.each([
    [{ type: 'reference', reference: { anthropic: 'file_1', openai: 'file-2' } }, true],
    [{ anthropic: 'file_1' }, true],
    [{ type: 'reference', reference: { anthropic: 5 } }, false],
    [{ type: 'reference', reference: {} }, false],
    [{ type: 'text', text: 'a,b' }, true],
    [{ type: 'text', text: ' ' }, false],
    [{ type: 'data', data: 'AAAA' }, true],
    [{ type: 'data', data: 5 }, false],
    [{ type: 'url', url: 'nowhere' }, false],
  ])('are sent as they were uploaded, if that can be: %j', (data, sent) => {
    const built = contextOf([
      user([
        { type: 'text', text: 'See' },
        { type: 'file', mediaType: 'a/b', data },
      ]),
    ]);
    const files = built.messages.flatMap(({ content }) => content as unknown as readonly Part[]);
    expect(files.filter(({ type }) => type === 'file')).toEqual(
      sent ? [{ type: 'file', mediaType: 'a/b', data }] : [],
    );
  });

  const album = [
    user([picture(1)]),
    user([picture(2)]),
    toolCall('look'),
    pictureResult(3),
    user([picture(4), { type: 'text', text: 'Which?' }]),
  ];

  it.each([
    { maxImages: 4, sent: 4 },
    { maxImages: 3, sent: 3 },
    { maxImages: 1, sent: 1 },
    { maxImages: 0, sent: 0 },
  ])('become lines of text over $maxImages, oldest first', ({ maxImages, sent }) => {
    const built = contextOf(album, { budget: { maxImages } });
    const shown = JSON.stringify(built.messages).match(/"mediaType":"image|Not sent: image/g)!;
    expect(shown.map((one) => one.includes('mediaType'))).toEqual([1, 2, 3, 4].map((n) => n > 4 - sent));
    expect(built.steps).toEqual(sent === 4 ? [] : ['bound-media']);
    expect(linesOf(built).at(-1)).toMatch(/Which\?$/);
  });

  it('become lines of text over the bytes of a request, pinned ones last', () => {
    const bodies = [user([picture(1, 200)]), user([picture(2, 200)]), user([picture(3, 200)])];
    const built = contextOf(bodies, {
      budget: { maxBytes: 60_000 },
      marks: marksOf({ pinned: [{ from: 1, to: 1 }] }),
    });
    const kept = built.messages.map(({ content }) => JSON.stringify(content).includes('mediaType'));
    expect(kept).toEqual([true, false, false]);
  });

  it('let text be shortened too when text alone has too many bytes', () => {
    const bodies = Array.from({ length: 50 }, (_, n) => user(`${n} ${'word '.repeat(1_000)}`));
    const built = contextOf(bodies, { budget: { maxBytes: 50_000 } });
    expect(Buffer.byteLength(JSON.stringify(built.messages))).toBeLessThanOrEqual(50_000);
    expect(linesOf(built).at(-1)).toMatch(/^user: 49 word/);
  });

  it('never block the next turn: a tool result of 2 MB in a window of 200k', () => {
    const giant = 'A very long line of output. '.repeat(75_000);
    const built = contextOf([user('Before'), user('Go'), toolCall('run'), toolResult('run', giant)]);
    expect(built.steps).toEqual(['cut-unread-outputs']);
    expect(linesOf(built).slice(0, 3)).toEqual([
      'user: Before',
      'user: Go',
      'assistant: calls run (call_run)',
    ]);
    expect(linesOf(built)[3]).toMatch(
      /A very long line[\s\S]*\[Cut to fit\. Entry \S+ has the whole\.\][\s\S]*output\./,
    );
  });
});

function pictureResult(n: number) {
  const output = { type: 'content', value: [{ type: 'text', text: 'A picture' }, picture(n)] };
  return {
    ...toolResult('look', ''),
    parts: [{ type: 'tool-result', toolCallId: 'call_look', toolName: 'look', output }],
  };
}
