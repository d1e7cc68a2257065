import { expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import { renderSummary } from '../../../src/summary/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';

const RECORD =
  '{"level":"error","at":1765,"text":"Each order must have a customer. We always keep the newest one.","request":"r-81"}';

function digestOf(message: string): string {
  const log = logOf(
    user('The import of the orders stops in the night. Find out why and mend it.'),
    toolCall('Edit', { file_path: 'src/import.ts' }, { id: 'a' }),
    toolResult('Edit', 'ok', { id: 'a' }),
    assistant('The import now skips orders without lines.'),
    user(message),
    toolCall('Edit', { file_path: 'src/import.ts' }, { id: 'b' }),
    toolResult('Edit', 'ok', { id: 'b' }),
    assistant('The import reads the customer first.'),
  );
  return renderSummary(digestEntries(log, { maxTokens: 2000 }));
}

it('a record that the person pastes is no rule and no decision of theirs', () => {
  const text = digestOf(`it stopped again, with this record: ${RECORD}`);
  expect(text).not.toContain('must have a customer');
  expect(text).not.toContain('always keep the newest');
  expect(text).toContain('it stopped again');
});

it('a command of one word is no open point', () => {
  const pending = digestOf('ls').split('### Pending')[1]?.split('###')[0] ?? '';
  expect(pending).not.toMatch(/^- ls$/m);
});

it('what a person writes with a few quoted words stays', () => {
  expect(digestOf('the field must be called "customer", never "client": see {"customer": 1}')).toContain(
    'never "client"',
  );
});
