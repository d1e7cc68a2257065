import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptySummary, type Summary } from '../../src/record/index.ts';
import {
  readLooseSummary,
  readSessionSummary,
  SUMMARY_END,
  SUMMARY_START,
  writeSessionSummary,
} from '../../src/summary/index.ts';

const line = (text: string) => ({ text, from: [] });
const summary: Summary = {
  ...emptySummary('Rate limiter implementation strategies'),
  background:
    'We discussed auth refactoring with JWT tokens and Redis session storage in the previous session.',
  topics: [line('Rate limiter implementation strategies'), line('Token bucket vs sliding window algorithms')],
  decisions: [line('Use token bucket with Redis backing'), line('100 requests per minute per user')],
  pending: [line('Integration testing with auth system')],
};

const BLOCK = `<!-- SESSION_SUMMARY_START -->
**Background Context:** We discussed auth refactoring with JWT tokens and Redis session storage in the previous session.

**Current Session Summary:**
**Topics Discussed:**
- Rate limiter implementation strategies
- Token bucket vs sliding window algorithms

**Decisions Made:**
- Use token bucket with Redis backing
- 100 requests per minute per user

**Pending:**
- Integration testing with auth system
<!-- SESSION_SUMMARY_END -->`;

describe('the session summary block', () => {
  it('is written to the letter', () => {
    expect(writeSessionSummary(summary)).toBe(BLOCK);
  });

  it('is read back from a transcript', () => {
    expect(readSessionSummary(`# Simple Sally Conversation\n\n## Query 1\n\n${BLOCK}\n`)).toEqual(summary);
  });

  it('is not confused by a conversation that quotes the markers', () => {
    const quoting = `User asks what ${SUMMARY_START} means.\n${SUMMARY_START}\nnot a summary\n${SUMMARY_END}\n\n${BLOCK}\n`;
    expect(readSessionSummary(quoting)).toEqual(summary);
  });

  it.each([
    ['no markers', 'just text'],
    ['only a start', `${SUMMARY_START}\n**Pending:**\n- x`],
    ['only an end', `**Pending:**\n- x\n${SUMMARY_END}`],
    ['the wrong order', `${SUMMARY_END}\n**Pending:**\n- x\n${SUMMARY_START}`],
    ['nothing in it', `${SUMMARY_START}\n\n${SUMMARY_END}`],
  ])('is missing when there is %s', (_, text) => {
    expect(readSessionSummary(text)).toBeUndefined();
  });

  it('is read from a model that forgot the markers', () => {
    const bare = BLOCK.split('\n').slice(1, -1).join('\n');
    expect(readLooseSummary(`Here is the summary:\n\n${bare}`)).toEqual(summary);
  });

  it('gives back every line, whatever is in it', () => {
    const text = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom(SUMMARY_START, SUMMARY_END, '- ', '**', 'word ', '日本'),
          fc.string({ maxLength: 3 }),
        ),
      })
      .map((value) => value.replace(/\s+/gu, ' ').trim())
      .filter((value) => value !== '' && value !== 'None' && !value.includes('&lt;'));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.array(text, { maxLength: 4 }),
        text,
        (topics, pending, background) => {
          const given = {
            ...emptySummary(topics[0]),
            background,
            topics: topics.map(line),
            pending: pending.map(line),
          };
          expect(readSessionSummary(writeSessionSummary(given))).toEqual(given);
        },
      ),
    );
  });
});
