import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { user } from '../../../src/testing/index.ts';
import { tempFolder } from '../../flows/child.ts';

describe('entries that are read again', () => {
  it('are the same objects while their rows are the same, and cannot be changed by a reader', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(path.join(folder.path, 'store.db'));
    await store.create({ id: 'a' });
    await store.append('a', [{ body: user('one') }, { body: user('two') }]);
    const first = await store.read('a');
    const second = await store.read('a');
    expect(second.every((entry, index) => entry === first[index])).toBe(true);
    const parts = (first[1]!.body as unknown as { parts: { text: string }[] }).parts;
    expect(() => {
      parts[0]!.text = 'changed';
    }).toThrow(TypeError);
    expect(await store.read('a')).toEqual(first);
  });

  it('are read anew when another connection has rewritten them', async () => {
    using folder = tempFolder();
    const file = path.join(folder.path, 'store.db');
    await using store = await openSqliteStore(file);
    await using other = await openSqliteStore(file);
    await store.create({ id: 'a' });
    await store.append('a', [{ body: user('the key is hunter2') }, { body: user('two') }]);
    const [secret] = (await store.read('a')).filter(({ body }) => JSON.stringify(body).includes('hunter2'));
    await other.rewrite('a', [{ id: secret!.id, body: user('the key is ***') }]);
    const again = await store.read('a');
    expect(JSON.stringify(again)).toContain('the key is ***');
    expect(JSON.stringify(again)).not.toContain('hunter2');
  });

  it('are as they were written when there are more than are remembered', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(path.join(folder.path, 'store.db'));
    await store.create({ id: 'a' });
    const texts = Array.from({ length: 600 }, (_, index) => `${index} ${'x'.repeat(10_000)}`);
    await store.append(
      'a',
      texts.map((text) => ({ body: user(text) })),
    );
    for (let round = 0; round < 2; round++) {
      const read = (await store.read('a', { only: 'messages' })).map(({ body }) => body);
      expect(read).toEqual(texts.map((text) => user(text)));
    }
  });
});
