import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compactSession, createSession, findSession, forkSession, PRESETS } from '../../src/index.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { tempFolder } from './child.ts';

describe('at size', () => {
  it('keeps 100,000 sessions: each is stored, listed, counted and found', async () => {
    using folder = tempFolder();
    await using store = await openSqliteStore(folder.file('store.db'));
    const count = 100_000;
    for (let n = 0; n < count; n += 500) {
      const batch = Array.from({ length: 500 }, (_, k) => `agent_${String(n + k).padStart(6, '0')}`);
      await Promise.all(batch.map((id) => store.create({ id }, [{ body: user(`question of ${id}`) }])));
    }
    expect(await store.count()).toEqual({ active: count, archived: 0, trashed: 0 });
    const seen = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const page = await store.list({ limit: 1_000, ...(cursor !== undefined && { cursor }) });
      for (const { id } of page.sessions) seen.add(id);
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
    expect(seen.size).toBe(count);
    expect((await findSession(store, 'Question of agent_077777')).id).toBe('agent_077777');
    await expect(findSession(store, 'agent_0777')).rejects.toMatchObject({ code: 'session-ambiguous' });
    const report = await store.verify();
    expect(report).toMatchObject({ stored: count, listed: count, problems: [] });
  });

  it('takes little more room than its content: 300 compactions, 20 forks, 50 images that are sent twice', async () => {
    using folder = tempFolder();
    const file = folder.file('store.db');
    let content = 0;
    {
      await using store = await openSqliteStore(file, { durability: 'normal' });
      await using session = await createSession(store, { id: 's' });
      const images = Array.from({ length: 50 }, () => randomBytes(1_000_000));
      for (const data of [...images, ...images]) {
        await session.append([
          user([{ type: 'file', mediaType: 'image/png', data: data.toString('base64') }]),
        ]);
      }
      content += images.reduce((sum, { length }) => sum + length, 0);
      const settings = { ...PRESETS.window, keep: { messages: 2 } };
      for (let n = 0; n < 300; n++) {
        const text = `Message ${n}: ${'the store keeps every entry in order. '.repeat(20)}`;
        await session.append([user(text), assistant(text), user(`${text} again`), assistant(`${text} done`)]);
        content += 4 * text.length;
        await compactSession(session, { settings });
        if (n % 15 === 0) await forkSession(store, session.info, { id: `fork-${n}` });
      }
      expect((await store.verify()).problems).toEqual([]);
    }
    expect(statSync(file).size / content).toBeLessThan(1.3);
  });

  it('keeps a message of 10 MB exactly, and opens its session without reading it', async () => {
    using folder = tempFolder();
    const text = `${'x'.repeat(10 * 1024 * 1024)}\ud83d`;
    await using store = await openSqliteStore(folder.file('store.db'));
    await using session = await createSession(store, { id: 's' });
    const [entry] = await session.append([user(text)]);
    expect(JSON.stringify(entry).length).toBeLessThan(2_000);
    expect((await session.whole(entry!)).body).toEqual(user(text));
  });
});
