import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../src/transcripts/detect/detect-format.ts';
import { textSource } from '../../../src/transcripts/source/open-source.ts';
import * as claude from '../formats/claude-code/lines.ts';
import * as codex from '../formats/codex/rollouts.ts';
import * as pi from '../formats/pi/records.ts';

const detect = async (text: string, name = 'x') => (await detectFormat(textSource(text, { name })))?.name;

const jsonl = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('\n');

const FILES: readonly (readonly [string, string])[] = [
  ['throughline', '{"throughline":1,"format":1}\n'],
  ['claude-code', claude.ordinary()],
  ['claude-code', jsonl({ type: 'summary', summary: 'x', leafUuid: 'y' })],
  ['claude-code', jsonl({ type: 'queue-operation', operation: 'enqueue', sessionId: 's', timestamp: 't' })],
  ['pi', pi.first()],
  ['pi', pi.tree()],
  ['codex', codex.ordinary()],
  ['codex', codex.bare()],
  [
    'copilot',
    jsonl({ type: 'session.start', data: { sessionId: 's' }, id: 'e', timestamp: 't', parentId: null }),
  ],
  ['gemini', JSON.stringify({ sessionId: 's', projectHash: 'h', startTime: 't', messages: [] }, null, 2)],
  [
    'gemini',
    jsonl(
      { sessionId: 's', projectHash: 'h', startTime: 't', kind: 'main' },
      { id: 'a', type: 'user', content: 'x' },
    ),
  ],
  ['opencode', JSON.stringify({ info: { id: 'ses_1', title: 't' }, messages: [] }, null, 2)],
  ['chatgpt', '[{"title":"x","mapping":{"a":{}}}]'],
  ['chatgpt', '{"title":"x","mapping":{"a":{}},"current_node":"a"}'],
  [
    'dagent',
    JSON.stringify({ sessionId: 's', messages: [{ role: 'user', content: 'x' }], metadata: {} }, null, 2),
  ],
  ['dagent', JSON.stringify({ entries: [{ role: 'user', content: 'x' }] })],
  ['dagent', JSON.stringify({ taskId: 't', agentId: 'a', messages: [] })],
  ['army', JSON.stringify({ messages: [{ role: 'user', content: 'x' }], context: {} }, null, 2)],
  ['markdown', '# Sally Conversation\n\n**Session ID:** s\n**Date:** 2026-01-01T00:00:00\n\n---\n'],
];

describe('what a file is', () => {
  it.each(FILES)('is detected by its content: %s', async (format, text) => {
    for (const name of ['x.jsonl', 'x.json', 'x.md', 'x']) expect(await detect(text, name)).toBe(format);
  });

  it.each(FILES.filter(([, text]) => text.split('\n').length > 3))(
    'is told of %s when its first line is torn',
    async (format, text) => {
      if (
        format === 'gemini' ||
        format === 'dagent' ||
        format === 'army' ||
        format === 'opencode' ||
        format === 'markdown'
      )
        return;
      expect(await detect(text.slice(20))).toBe(format);
    },
  );

  it.each([
    [
      'the log of a window',
      jsonl(
        { ts: 't', dir: 'meta', kind: 'session_start', cwd: '/x', model: 'gpt-5' },
        { ts: 't', dir: 'to_tui', kind: 'app_event' },
      ),
    ],
    ['an index of sessions', JSON.stringify({ sessions: [{ session_id: 's' }], last_updated: 't' })],
    ['settings', JSON.stringify({ defaultProvider: 'anthropic', messages: 3 })],
    ['a manifest', JSON.stringify({ name: 'x', version: '1.0.0' })],
    ['prose', '# A page\n\nSome words.\n'],
    ['nothing', ''],
    ['bytes', '\0\0\0\0'],
    ['lines of something else', jsonl({ level: 'info', message: 'x' }, { level: 'warn', message: 'y' })],
  ])('is not a transcript: %s', async (_, text) => {
    expect(await detect(text)).toBeUndefined();
  });
});
