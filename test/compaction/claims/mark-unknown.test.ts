import { expect, it } from 'vitest';
import { markUnknown } from '../../../src/compaction/claims/index.ts';
import { compactSession, PRESETS } from '../../../src/compaction/index.ts';
import { emptySummary } from '../../../src/record/index.ts';
import { createSession, readFrontier } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { scripted } from '../scripted-summariser.ts';

const log = logOf(
  user('Please move the lease to 120 seconds, and tell Miriam. The limit is 1,046 jobs.'),
  toolCall('Edit', { file_path: 'src/queue/lease.ts' }, { id: 'e' }),
  toolResult('Edit', 'ok, 87 lines', { id: 'e' }),
  assistant('Done: `LEASE_SECONDS` is 120 now, see INC-2291. I said "the queue is idle at night".'),
);

function marked(text: string): string {
  const [line] = markUnknown({ ...emptySummary('x'), facts: [{ text, from: [] }] }, { entries: log }).facts;
  return line!.text;
}

it.each([
  'The lease is 120 seconds.',
  'The limit is 1046 jobs, in 3 queues.',
  'src/queue/lease.ts was edited, 87 lines.',
  'lease.ts has `LEASE_SECONDS`, for INC-2291.',
  'Then Miriam was told that "the queue is idle at night".',
  'Die Frist beträgt 120 Sekunden und Miriam weiß es.',
])('a line whose figures, names and quotes are in the source stays as it is: %s', (text) => {
  expect(marked(text)).toBe(text);
});

it.each([
  { text: 'The deploy port is 4711.', unknown: '4711' },
  { text: 'The change is in src/queue/worker.ts.', unknown: 'src/queue/worker.ts' },
  { text: 'The change is in src/queue.ts.', unknown: 'src/queue.ts' },
  { text: 'It closes INC-3000.', unknown: 'INC-3000' },
  { text: 'The option is `MAX_LEASE`.', unknown: 'MAX_LEASE' },
  { text: 'This was agreed with Roberta.', unknown: 'Roberta' },
  { text: 'The note says "ship it on Friday morning".', unknown: 'ship it on Friday morning' },
])('a line that names what the source does not have says so: $text', ({ text, unknown }) => {
  expect(marked(text)).toBe(`${text} (not in the conversation: ${unknown})`);
});

it('the summary before the range is a source, and a line with a note is none', () => {
  const before = { ...emptySummary('x'), facts: [{ text: 'The port is 4711.', from: [] }] };
  const noted = {
    ...emptySummary('x'),
    facts: [{ text: 'The port is 4711. (not in the conversation: 4711)', from: [] }],
  };
  const again = { ...emptySummary('x'), facts: [{ text: 'The port is 4711.', from: [] }] };
  expect(markUnknown(again, { entries: log, before }).facts[0]!.text).toBe('The port is 4711.');
  expect(markUnknown(again, { entries: log, before: noted }).facts[0]!.text).toContain('not in');
});

it('a figure that a model makes up is marked in the compaction', async () => {
  const session = await createSession(createMemoryStore(), { title: 'made up' });
  await session.append(
    Array.from({ length: 6 }, (_, n) => [
      user(`m${2 * n} asks about the deploy ${'and the build '.repeat(10)}`),
      assistant(`m${2 * n + 1} answers ${'that it is green '.repeat(10)}`),
    ]).flat(),
  );
  const summariser = scripted(() => ({
    summary: {
      ...emptySummary('The deploy.'),
      facts: [{ text: 'm13 says the deploy port is 4711', from: [] }],
    },
  }));
  const { by } = await compactSession(session, {
    settings: { ...PRESETS.balanced, keep: { messages: 2 } },
    summariser,
  });
  expect(by.kind).toBe('model');
  const [record] = await readFrontier(session.store, await session.refresh());
  const facts = record!.body.kind === 'compaction' ? record!.body.summary.facts : [];
  expect(facts.map(({ text }) => text)).toContain(
    'm13 says the deploy port is 4711 (not in the conversation: 4711)',
  );
});
