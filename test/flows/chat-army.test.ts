import { describe, expect, it } from 'vitest';
import { startWireServer } from '../support/wire-server.ts';
import { askedFor, obligingModel } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';

// The third phase of the army's plan: search by meaning, what a project knows, and work in several sessions at once.

describe.concurrent('sessions of one project', () => {
  it('are searched by meaning: no word of the question has to have been said', async () => {
    using place = createChatPlace();
    await place.talk([
      'The puppy chewed my boots again.',
      'The invoice for the electricity is overdue.',
      'The kettle needs a new lid.',
      'exit',
    ]);
    await place.talk(['hello', 'exit'], { args: ['--new'] });
    const hits = async (query: string, ...args: readonly string[]) =>
      place.json<{ snippet: string }[]>('search', query, ...args);
    expect(await hits('dog ruined shoes', '--words')).toEqual([]);
    expect((await hits('dog ruined shoes'))[0]!.snippet).toContain('puppy');
    expect((await hits('unpaid bill'))[0]!.snippet).toContain('invoice');
  });

  it('share what the project knows, each from its first message on', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    await place.run(['memory', 'add', 'The staging database listens on port 5433.']);
    await place.talk(['Which port?', 'exit'], { env: server.env });
    await place.talk(['And now?', 'exit'], { env: server.env, args: ['--new'] });
    const asked = server.requests.filter((request) => askedFor(request) === 'answer');
    expect(asked).toHaveLength(2);
    for (const { body } of asked) expect(JSON.stringify(body)).toContain('port 5433');
  });

  it('are tagged, forked, and merged again, and who is right is for you to say', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const main = idIn(await place.talk(['We decided to use Redis.', 'exit'], { env: server.env }));
    await place.run(['tag', main, '--add', 'limiter']);
    const { id: branch } = await place.json<{ id: string }>('fork', main, '--title', 'plan b');
    await place.talk(['We decided to use Postgres.', 'exit'], {
      env: server.env,
      args: ['--continue', branch],
    });
    const tagged = await place.json<{ id: string }[]>('sessions', '--tag', 'limiter');
    expect(tagged.map(({ id }) => id)).toContain(main);
    const lineage = (await place.run(['lineage', main])).stdout;
    expect(lineage).toContain('plan b');
    const plan = (await place.run(['merge', branch, '--preview'])).stdout;
    expect(plan).toContain('Postgres');
    const merged = await place.run(['merge', branch, '--yes', '--take', 'theirs']);
    expect(merged.code, merged.stderr).toBe(0);
    expect((await place.run(['checkpoint', main])).stdout).toContain('Postgres');
    expect((await place.run(['merge', branch, '--undo'])).code).toBe(0);
    expect((await place.run(['checkpoint', main])).stdout).not.toContain('Postgres');
  });
});
