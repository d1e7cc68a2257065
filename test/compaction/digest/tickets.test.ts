import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import { ticketsIn, ticketsOf } from '../../../src/compaction/digest/tickets.ts';
import type { Message } from '../../../src/record/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';

const digest = (...entries: Message[]) => digestEntries(logOf(...entries), { maxTokens: 2000 });
const texts = (lines: readonly { readonly text: string }[] = []) => lines.map(({ text }) => text).join('\n');

describe('numbered work', () => {
  it('is known by its name, alone or in a run', () => {
    expect(ticketsIn('WP15, ABC-123 and #482, then WP18-WP20')).toEqual([
      'WP15',
      'ABC123',
      '#482',
      'WP18',
      'WP19',
      'WP20',
    ]);
    expect(ticketsIn('UTF-8 in src/AB12.ts at v1.2')).toEqual([]);
  });

  it('is reported where a report or a part of it begins with it', () => {
    expect(ticketsOf('[main 934c2bc] WP9: Add the queue')).toEqual(['WP9']);
    expect(ticketsOf('Fixed #482, closed #483')).toEqual(['#482', '#483']);
    expect(ticketsOf('Prepared for WP18; wrote the tests that WP19 needs')).toEqual([]);
  });

  const work = (number: number): Message[] => [
    user(`Please do WP${number} now.`),
    assistant(''),
    toolCall('Edit', { file_path: `src/part${number}.ts` }, { id: `${number}` }),
    toolResult(`${number}`, 'ok'),
    assistant(`WP${number} is done: I created the part and committed it.`),
  ];
  const plan = [
    user('Please split the server into modes.'),
    assistant(''),
    toolCall('Read', { file_path: 'src/server.ts' }, { id: 'read' }),
    toolResult('read', 'export {}'),
    assistant(
      'I looked through the server.\n\nStill to do:\n- WP15: Create the chat mode\n- WP16: Use it in the main file\n- WP17: Move the views',
    ),
  ];
  const after = [user('Now look at the logs of yesterday.'), assistant('They are empty.')];

  it('leaves the list of what remains when it was reported, and the other items stay word for word', () => {
    const pending = texts(digest(...plan, ...work(15), ...work(16), ...after).pending);
    expect(pending).toContain('WP17: Move the views');
    expect(pending).not.toMatch(/WP15|WP16/);
  });

  it('takes the line with it when all of it was reported', () => {
    expect(texts(digest(...plan, ...work(15), ...work(16), ...work(17), ...after).pending)).not.toContain(
      'WP1',
    );
  });
});

describe('what stands in a request and settles nothing', () => {
  it('makes no rule of the rest of an error that a terminal broke over lines', () => {
    const { standing } = digest(
      user(
        'I get this:\n\nError: 400 {"type":"error","error":{"message":"calls without\nresults. Each `call` must have a `result` in the next message."},"request_id":"req_01"}\n\nwhat is wrong?',
      ),
      assistant(''),
      toolCall('Read', { file_path: 'src/send.ts' }, { id: '1' }),
      toolResult('1', 'export {}'),
      assistant('The result is sent too late.'),
      user('Never send a call alone.'),
      assistant('Understood.'),
    );
    expect(texts(standing)).not.toContain('request_id');
    expect(texts(standing)).toContain('Never send a call alone.');
  });

  it('leaves no offer of the next task open', () => {
    const { pending } = digest(
      ...[user('Please add the mode.')],
      ...[
        toolCall('Edit', { file_path: 'src/mode.ts' }, { id: '1' }),
        toolResult('1', 'ok'),
        assistant('Added the mode to `src/mode.ts`. Ready for next task or want to merge to main?'),
      ],
    );
    expect(texts(pending)).not.toContain('Ready for next');
  });
});
