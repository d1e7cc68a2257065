import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/session/index.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { createChatPlace } from './chat-place.ts';

const MODEL = ['--model', 'anthropic:claude-sonnet-4-5'];

interface Context {
  readonly tokens: number;
  readonly instructions: string;
  readonly messages: readonly unknown[];
}

describe.concurrent('a session that a program made, in a terminal', () => {
  it('is asked with its own system prompt, as `context` announced, also once the model was heard', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', () =>
      reply('Bonjour.', { usage: { input: 2_000, output: 5 } }),
    );
    writeFileSync(path.join(place.folder, 'AGENTS.md'), 'Use tabs. '.repeat(200));
    {
      await using store = await place.open();
      const settings = { systemPrompt: 'Always answer in French.', compaction: 'window' } as const;
      await using _ = await createSession(store, { id: 'frenchy', project: place.folder, settings });
    }
    for (const question of ['hello', 'and now?']) {
      const asked = ['context', 'frenchy', '--question', question, ...MODEL];
      const announced = await place.json<Context>(...asked);
      const args = ['--continue', 'frenchy', ...MODEL];
      await place.talk([question, 'exit'], { env: server.env, args });
      const { entries } = await place.show<{ seq: number; kind: string; role?: string }>('frenchy');
      const at = entries.findLast(({ role }) => role === 'user')!.seq;
      const sent = await place.json<Context & { sent: { exact: boolean } }>(
        'context',
        'frenchy',
        '--at',
        `${at}`,
      );
      expect(sent.sent.exact).toBe(true);
      expect([announced.tokens, announced.instructions]).toEqual([sent.tokens, sent.instructions]);
      expect(announced.messages).toEqual(sent.messages);
    }
    const bodies = server.requests.map(({ body }) => JSON.stringify(body));
    const answered = bodies.filter((body) => body.includes('Always answer in French.'));
    expect(answered.filter((body) => body.includes('Use tabs.'))).toHaveLength(2);
  });
});

describe.concurrent('--preset', () => {
  it('is kept with the session; one of the environment is for sessions that have none', async () => {
    using place = createChatPlace();
    const policyOf = async (id: string) => {
      await using store = await place.open();
      return (await store.session(id))!.state.settings.compaction;
    };
    {
      await using store = await place.open();
      await using _ = await createSession(store, { id: 'made', settings: { compaction: 'window' } });
      await using __ = await createSession(store, { id: 'bare' });
    }
    const env = { THROUGHLINE_PRESET: 'repo' };
    const talk = (id: string, ...args: string[]) =>
      place.talk(['hello', 'exit'], { env, args: ['--continue', id, ...args] });
    await talk('made');
    await talk('bare');
    expect([await policyOf('made'), await policyOf('bare')]).toEqual(['window', 'repo']);
    await talk('made', '--preset', 'army');
    await talk('made');
    expect(await policyOf('made')).toBe('army');
  });
});
