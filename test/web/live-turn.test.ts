import { describe, expect, it } from 'vitest';
import { advanceTurn, sayAutoCompacted, startTurn, withStoredMessage } from '../../web/session/live-turn.ts';

const writing = advanceTurn(startTurn('turn'), { type: 'text-delta', text: 'It is out.' });

describe('an answer that is stored while its turn runs', () => {
  it('is shown once, though the message comes before the event about its end', () => {
    const stored = withStoredMessage(writing, { id: 'answer', role: 'assistant' });
    expect(stored.text).toBe('');
    expect(stored.running).toBe(true);
  });

  it('is shown once, though the message comes after the event about its end', () => {
    const ended = advanceTurn(writing, {
      type: 'answer-end',
      entry: 'answer',
      seq: 2,
      status: 'complete',
      finishReason: 'stop',
      usage: null,
    });
    expect(ended.text).toBe('It is out.');
    expect(withStoredMessage(ended, { id: 'answer', role: 'assistant' }).text).toBe('');
  });

  it('stays on the page when a question or the result of a tool is stored', () => {
    expect(withStoredMessage(writing, { id: 'other', role: 'user' })).toBe(writing);
    expect(withStoredMessage(writing, { id: 'other', role: 'tool' })).toBe(writing);
  });
});

describe('the notice about a full context', () => {
  const end = {
    type: 'compaction-end',
    draft: null,
    compactionId: null,
    messagesCompacted: 61,
    originalTokenCount: 28_000,
    compressedTokenCount: 1_000,
    instead: null,
    reason: null,
    why: null,
  } as const;

  it('offers the way back from a compaction, and none from a draft, which has changed nothing', () => {
    const done = sayAutoCompacted({ ...end, did: 'compact', compactionId: 'c' });
    expect(done).toMatchObject({ compactionId: 'c', text: expect.stringContaining('61 messages') });
    const waits = sayAutoCompacted({ ...end, did: 'draft', draft: 'd' });
    expect(waits).toMatchObject({
      compactionId: undefined,
      text: expect.stringMatching(/draft summary of 61 messages waits to be approved/),
    });
    expect(sayAutoCompacted({ ...end, did: 'prepare' })).toBeUndefined();
  });
});
