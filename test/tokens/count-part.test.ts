import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countImage, countMessage, countPart, countText } from '../../src/tokens/index.ts';
import { pngOf } from './pictures.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/tokens/${name}`, import.meta.url), 'utf8');
const text = fixture('english.txt');
const code = fixture('code.txt');
const data = JSON.parse(fixture('data.json'));
const hash = 'a'.repeat(64);
const screenshot = countImage({ width: 1920, height: 1080 });

describe('counting a part', () => {
  it.each(['text', 'reasoning'])('counts the text of a %s part', (type) => {
    expect(countPart({ type, text })).toBe(countText(text));
  });

  it('counts nothing for what a stream begins with, and what else a provider put there by its JSON', () => {
    const options = { anthropic: { id: 'msg_1', model: 'claude', usage: { input_tokens: 12 } } };
    const custom = (kind: string) => countPart({ type: 'custom', kind, providerOptions: options });
    expect(custom('anthropic.message_start')).toBe(0);
    expect(custom('openai.compaction')).toBeGreaterThan(10);
    const sealed = {
      type: 'custom',
      kind: 'openai.compaction',
      providerOptions: { openai: { encryptedContent: 'x'.repeat(4_000) } },
    };
    expect(countPart(sealed)).toBeLessThan(1_000);
  });

  it('leaves out fields that are not sent as text', () => {
    const signed = {
      type: 'reasoning',
      text,
      providerOptions: { anthropic: { signature: 'x'.repeat(5000) } },
    };
    expect(countPart(signed)).toBe(countText(text));
    expect(
      countPart({ type: 'tool-call', toolCallId: 'c'.repeat(500), toolName: 'read', input: {} }),
    ).toBeLessThan(15);
  });

  it.each([
    { name: 'an object', input: data },
    { name: 'a list of its objects', input: data.orders },
    { name: 'a source file', input: { path: 'src/file-cache.ts', content: code } },
    { name: 'numbers', input: Array.from({ length: 300 }, (_, index) => index * 7.25) },
    { name: 'flags', input: Array.from({ length: 100 }, () => ({ on: true, off: false, unset: null })) },
  ])('counts the input of a call like its JSON text: $name', ({ input }) => {
    const counted = countPart({ type: 'tool-call', toolCallId: '1', toolName: 'save', input });
    expect(counted / countTokens(JSON.stringify(input))).toSatisfy(
      (ratio: number) => ratio > 0.93 && ratio < 1.15,
    );
  });

  it.each([
    { type: 'text', value: text },
    { type: 'error-text', value: text },
    { type: 'content', value: [{ type: 'text', text }] },
  ])('counts the $type output of a tool', (output) => {
    const counted = countPart({ type: 'tool-result', toolCallId: '1', toolName: 'read', output });
    expect(counted).toBe(countText(text) + countText('read') + 8);
  });

  it.each(['json', 'error-json'])('counts the %s output of a tool as JSON', (type) => {
    const counted = countPart({
      type: 'tool-result',
      toolCallId: '1',
      toolName: 'q',
      output: { type, value: data },
    });
    expect(counted / countTokens(JSON.stringify(data))).toSatisfy(
      (ratio: number) => ratio > 0.95 && ratio < 1.2,
    );
  });

  it('counts a denied execution by its reason', () => {
    const output = { type: 'execution-denied', reason: 'Not on a Friday.' };
    const counted = countPart({ type: 'tool-result', toolCallId: '1', toolName: 'deploy', output });
    expect(counted).toBeGreaterThan(countText(output.reason));
  });

  it('counts an unknown part by its JSON, so that nothing new is free', () => {
    const part = { type: 'hologram', caption: text };
    expect(countPart(part)).toBeGreaterThanOrEqual(countText(text));
  });

  it.each([null, 7, [], [null], [{ type: 3 }], { type: 'content', value: [undefined, 'x'] }])(
    'does not stumble over an output of %j',
    (output) => {
      expect(countPart({ type: 'tool-result', output })).toSatisfy(Number.isSafeInteger);
    },
  );
});

describe('counting files', () => {
  const png = pngOf({ width: 800, height: 600 });
  const base64 = Buffer.from(png).toString('base64');
  const picture = countImage({ width: 800, height: 600 });

  it.each([
    ['bytes', { type: 'file', mediaType: 'image/png', data: png }],
    ['an array buffer', { type: 'file', mediaType: 'image', data: png.slice().buffer }],
    ['base64', { type: 'file', mediaType: 'image/png', data: base64 }],
    ['tagged data', { type: 'file', mediaType: 'image/png', data: { type: 'data', data: base64 } }],
    ['a data URL', { type: 'image', image: `data:image/png;base64,${base64}` }],
    ['an image part', { type: 'image', image: png }],
    ['what a tool returned', { type: 'image-data', mediaType: 'image/png', data: base64 }],
    ['an unnamed file', { type: 'file', mediaType: 'application/octet-stream', data: png }],
    [
      'a blob',
      { type: 'file', data: { $blob: hash, as: 'bytes', bytes: 9e6, preview: '', width: 800, height: 600 } },
    ],
  ])('counts a picture by its pixels: %s', (_, part) => {
    expect(countPart(part)).toBe(picture);
    const output = { type: 'content', value: [part] };
    expect(countPart({ type: 'tool-result', toolName: '', output })).toBe(picture + 8);
  });

  it.each([
    ['a URL', { type: 'image', image: new URL('https://example.org/cat.png') }],
    ['a URL as text', { type: 'file', mediaType: 'image', data: 'https://example.org/cat.png' }],
    [
      'a provider reference',
      { type: 'file', mediaType: 'image/png', data: { type: 'reference', reference: { openai: 'f1' } } },
    ],
    ['a file id', { type: 'image-file-id', fileId: 'f1' }],
    ['damaged bytes', { type: 'file', mediaType: 'image/png', data: 'not base64 at all!' }],
    [
      'a blob without pixels',
      { type: 'file', mediaType: 'image/png', data: { $blob: hash, as: 'bytes', bytes: 9e6, preview: '' } },
    ],
  ])('assumes a screenshot when the pixels cannot be seen: %s', (_, part) => {
    expect(countPart(part)).toBe(screenshot);
  });

  it('counts a picture by the rule of the provider it goes to', () => {
    const part = { type: 'file', mediaType: 'image/png', data: png };
    expect(countPart(part, { provider: 'google' })).toBe(1120);
    expect(countMessage({ role: 'user', parts: [part] }, { provider: 'google' })).toBe(1124);
  });

  it('counts a text document as text, and other files by their size', () => {
    expect(countPart({ type: 'file', mediaType: 'text/plain', data: { type: 'text', text } })).toBe(
      countText(text),
    );
    const ofSize = (mediaType: string, bytes: number) =>
      countPart({ type: 'file', mediaType, data: { $blob: hash, as: 'bytes', bytes, preview: '' } });
    expect(ofSize('application/pdf', 50_000)).toBe(2000);
    expect(ofSize('text/csv', 3000)).toBe(1000);
    expect(ofSize('audio/mpeg', 16_000)).toBe(32);
    expect(ofSize('application/pdf', 50_000)).toBeLessThan(ofSize('application/zip', 50_000));
  });

  it('does not count a document as the base64 text that a blob was counted as', () => {
    const pdf = { $blob: hash, as: 'base64', bytes: 50_000, preview: 'JVBERi0', tokens: 45_000 };
    expect(countPart({ type: 'file', mediaType: 'application/pdf', data: pdf })).toBe(2000);
  });
});

describe('counting references to blobs', () => {
  const ref = { $blob: hash, as: 'text', bytes: 90_000, preview: 'The ferry' };

  it.each([
    ['text', { type: 'text', text: { ...ref, tokens: 22_000 } }],
    [
      'a result',
      { type: 'tool-result', toolName: '', output: { type: 'text', value: { ...ref, tokens: 21_992 } } },
    ],
    ['a whole output', { type: 'tool-result', toolName: '', output: { ...ref, as: 'json', tokens: 21_992 } }],
  ])('takes the tokens that were counted when it was set aside: %s', (_, part) => {
    expect(countPart(part)).toBe(22_000);
  });

  it('takes them inside of JSON too', () => {
    const input = { path: 'a.txt', content: { ...ref, tokens: 22_000 } };
    expect(countPart({ type: 'tool-call', toolName: 'write', input })).toSatisfy(
      (count: number) => count > 22_000 && count < 22_040,
    );
  });

  it('goes by the size without a count', () => {
    expect(countPart({ type: 'text', text: ref })).toBe(30_000);
    expect(countPart({ type: 'text', text: { ...ref, as: 'base64' } })).toBeGreaterThan(80_000);
  });
});

describe('counting a message', () => {
  it('adds a frame to its parts', () => {
    const parts = [
      { type: 'text', text },
      { type: 'text', text: 'And then?' },
    ];
    expect(countMessage({ role: 'user', parts })).toBe(4 + countText(text) + countText('And then?'));
    expect(countMessage({ role: 'assistant', parts: [] })).toBe(4);
  });
});
