import { describe, expect, it } from 'vitest';
import { readFrontier } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { readCopilot } from '../../../../src/transcripts/formats/copilot/read.ts';
import { transcriptContract } from '../../contract.ts';
import { importText, logOfSession, sessionsOf } from '../../transfer.ts';

let count = 0;
function event(type: string, data: object): string {
  const id = `e0000000-0000-4000-8000-${(++count).toString(16).padStart(12, '0')}`;
  return JSON.stringify({
    type,
    data,
    id,
    timestamp: new Date(1_767_000_000_000 + count * 1000).toISOString(),
    parentId: null,
  });
}
const idOf = (line: string) => (JSON.parse(line) as { id: string }).id;

const asked = event('user.message', { content: 'And a test?', attachments: [] });
const lines = [
  event('session.start', {
    sessionId: 'c0ffee00-0000-4000-8000-000000000001',
    version: 1,
    producer: 'copilot-agent',
    copilotVersion: '1.0.80',
    startTime: '2025-12-29T09:20:00.000Z',
    selectedModel: 'gpt-5',
    context: { cwd: '/home/sally/shop' },
  }),
  event('user.message', { content: 'Fix the cart.', transformedContent: '<x>Fix the cart.</x>' }),
  event('assistant.turn_start', { turnId: '0' }),
  event('assistant.message', {
    messageId: 'm1',
    content: 'Looking.',
    reasoningText: 'The cart is in cart.ts.',
    toolRequests: [{ toolCallId: 't1', name: 'view', arguments: { path: 'cart.ts' } }],
    outputTokens: 20,
  }),
  event('tool.execution_start', { toolCallId: 't1', toolName: 'view', arguments: { path: 'cart.ts' } }),
  event('tool.execution_complete', {
    toolCallId: 't1',
    success: true,
    result: { content: 'round(x)', detailedContent: 'full' },
  }),
  event('assistant.message', {
    messageId: 'm2',
    content: 'Fixed.',
    toolRequests: [{ toolCallId: 't2', name: 'bash', arguments: '{"command":"ls"}' }],
  }),
  event('tool.execution_complete', { toolCallId: 't2', success: false, error: { message: 'denied' } }),
  event('session.compaction_complete', {
    success: true,
    summaryContent: 'The cart was fixed.',
    preCompactionTokens: 90_000,
  }),
  asked,
  event('assistant.message', { messageId: 'm3', content: 'Tested.', toolRequests: [] }),
  event('session.snapshot_rewind', { upToEventId: idOf(asked), eventsRemoved: 2 }),
  event('user.message', { content: 'No test.' }),
  event('assistant.message', { messageId: 'm4', content: 'None.', toolRequests: [] }),
  event('hologram.shown', { depth: 3 }),
];
const FILE = `${lines.join('\n')}\n`;

transcriptContract({ format: 'copilot', reader: readCopilot, lines: true, samples: { 'a session': FILE } });

describe('a session of GitHub Copilot', () => {
  it('keeps messages, pairs, the compaction and turns taken back', async () => {
    const store = createMemoryStore();
    const [report] = await importText(store, readCopilot, FILE, { format: 'copilot' });
    expect(report).toMatchObject({
      messages: 9,
      toolPairs: 2,
      compactions: 1,
      branches: 1,
      unknownKept: 1,
      damage: 0,
    });
    const [session] = await sessionsOf(store);
    expect(session?.state.settings).toMatchObject({ agent: 'GitHub Copilot', project: '/home/sally/shop' });
    const log = await logOfSession(store, report!.id);
    const answer = log.find(({ body }) => body.kind === 'message' && body.role === 'assistant')?.body;
    expect(answer).toMatchObject({
      model: 'copilot:gpt-5',
      parts: [{ type: 'reasoning' }, { text: 'Looking.' }, { toolName: 'view' }],
    });
    const frontier = await readFrontier(store, (await store.session(report!.id))!);
    const words = frontier.map(({ body }) => (body.kind === 'message' ? body.parts[0]?.text : body.kind));
    expect(words).toEqual(['compaction', 'No test.', 'None.']);
  });
});
