import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toolCall, toolResult, user } from '../../src/testing/index.ts';
import { openFileLibrary } from './library.ts';

const redact = (text: string) => text.replace(/hunter2\w*|sk-[a-z0-9]+/gi, '[secret]');

it('never finds or shows redacted text, and has none of it in its file', async () => {
  await using library = await openFileLibrary({ redact });
  await library.write(
    's',
    user('my password is hunter2zz, remember', { meta: { speaker: 'Hunter2y' } }),
    toolCall('login', { path: 'keys/hunter2x.txt', key: 'sk-abc123' }),
    toolResult('login', `${'log line '.repeat(5000)} token sk-abc123 accepted`),
  );
  for (const query of ['hunter2zz', 'hunter*', '"sk-abc123"', 'abc123', '"hunter2x.txt"'])
    expect([query, await library.find(query, { by: 'words' })]).toEqual([query, []]);
  const hits = await library.recall.search('password login token', { neighbours: 2 });
  expect(hits.length).toBeGreaterThan(0);
  expect(JSON.stringify(hits)).not.toMatch(/hunter2|abc123/i);
  const index = readFileSync(library.indexFile).toString('latin1');
  const log = readFileSync(`${library.indexFile}-wal`).toString('latin1');
  expect(index + log).not.toMatch(/hunter2|abc123/i);
  expect(await library.find('secret', { by: 'words' })).toHaveLength(3);
});
