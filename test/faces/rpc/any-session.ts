import fc from 'fast-check';
import { compactSession, PRESETS } from '../../../src/compaction/index.ts';
import type { RpcClient } from '../../../src/faces/rpc/index.ts';
import type { EntryBody, Part } from '../../../src/record/index.ts';
import { openSession } from '../../../src/session/index.ts';
import type { Store } from '../../../src/store/index.ts';

// Sessions to which everything happened that can happen to one, each message with a mark of its own.

const size = fc.oneof(
  { weight: 8, arbitrary: fc.nat(40) },
  { weight: 4, arbitrary: fc.integer({ min: 100, max: 600 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2_000, max: 9_000 }) },
);
const place = fc.double({ min: 0, max: 1, noNaN: true });
const act = <T extends string>(...names: T[]) => fc.constantFrom(...names);

const anyDeed = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: act('turn'), asked: size, said: size, steps: fc.nat(2), output: size }),
  },
  { weight: 2, arbitrary: fc.record({ do: act('picture'), said: size }) },
  { weight: 1, arbitrary: fc.record({ do: act('note', 'ask'), said: size }) },
  { weight: 3, arbitrary: fc.record({ do: act('compact'), keep: fc.nat(4) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: act('pinned', 'excluded', 'included', 'unpinned'), at: place }),
  },
  { weight: 2, arbitrary: fc.record({ do: act('expand', 'collapse', 'delete', 'undo'), at: place }) },
  { weight: 1, arbitrary: fc.record({ do: act('fork'), at: place }) },
);
type Deed = typeof anyDeed extends fc.Arbitrary<infer T> ? T : never;

export const anySession = fc.record({
  systemPrompt: fc.option(size, { nil: undefined }),
  compaction: fc.constantFrom(undefined, undefined, 'balanced' as const, 'army' as const, 'off' as const),
  deeds: fc.array(anyDeed, { minLength: 1, maxLength: 24, size: 'max' }),
  end: fc.constantFrom('whole', 'whole', 'whole', 'cut', 'open call', 'question'),
  questions: fc.array(fc.nat(60), { minLength: 1, maxLength: 2 }),
  /** What the provider counts, for one that is counted here. */
  ratio: fc.constantFrom(0.9, 1, 1.3),
});
export type AnySession = typeof anySession extends fc.Arbitrary<infer T> ? T : never;

export const text = (words: number) =>
  Array.from({ length: words }, (_, n) => `w${(n * 2_654_435_761) % 9_973}`).join(' ');

export async function makeSession(
  { client, store }: { client: RpcClient; store: Store },
  { systemPrompt, compaction, deeds, end }: AnySession,
  { provider, model }: { provider: string; model: string },
): Promise<string> {
  const birth = { provider, model, ...(compaction && { compaction }) };
  const prompt = systemPrompt === undefined ? {} : { systemPrompt: `Be kind. ${text(systemPrompt / 4)}` };
  const { session } = await client.call('chat/session/create', { ...birth, ...prompt });
  let { id } = session;
  const born = session.head;
  let made = 0;
  const marker = () => `<<${++made}>>`;
  const say = (role: 'user' | 'assistant' | 'system', words: number, fields: object = {}): EntryBody => ({
    kind: 'message',
    role,
    parts: [{ type: 'text', text: `${marker()} ${text(words)}` }],
    ...fields,
  });
  const append = (bodies: readonly EntryBody[]) =>
    store.append(
      id,
      bodies.map((body) => ({ body })),
    );
  for (const deed of deeds) id = await take(deed, id);
  await append(ending(end));
  return id;

  async function take(deed: Deed, sessionId: string): Promise<string> {
    switch (deed.do) {
      case 'turn': {
        const called = Array.from({ length: deed.steps }, () => callAndResult(`c${made}`, deed.output));
        await append([say('user', deed.asked), ...called.flat(), say('assistant', deed.said)]);
        return sessionId;
      }
      case 'picture':
        await append([withPicture(say('user', 10)), say('assistant', deed.said)]);
        return sessionId;
      case 'note':
        await append([say('system', deed.said)]);
        return sessionId;
      case 'ask':
        await append([say('user', deed.said)]);
        return sessionId;
      case 'compact': {
        await using handle = await openSession(store, sessionId);
        const settings = { ...PRESETS.window, keep: { messages: deed.keep } };
        await compactSession(handle, { settings }).catch(only('nothing-to-compact', 'summary-rejected'));
        return sessionId;
      }
      case 'fork': {
        const { session: forked } = await client.call('chat/session/fork', {
          sessionId,
          at: Math.max(born, Math.ceil(deed.at * (await store.session(sessionId))!.head)),
        });
        return forked.id;
      }
      case 'expand':
      case 'collapse':
      case 'delete':
      case 'undo': {
        const all = await client.call('chat/compaction/list', { sessionId });
        const one = all[Math.min(all.length - 1, Math.floor(deed.at * all.length))];
        if (!one) return sessionId;
        const named = { id: one.id, sessionId };
        if (deed.do === 'expand') await client.call('chat/compaction/expand', named);
        else if (deed.do === 'collapse') await client.call('chat/compaction/collapse', named);
        else await client.call('chat/compaction/delete', { ...named, reactivate: deed.do === 'undo' });
        return sessionId;
      }
      default: {
        const said = await store.read(sessionId, { only: 'messages' });
        const one = said[Math.min(said.length - 1, Math.floor(deed.at * said.length))];
        if (one) await append([{ kind: 'mark', mark: deed.do, target: { entry: one.id } }]);
        return sessionId;
      }
    }
  }

  function callAndResult(call: string, words: number): EntryBody[] {
    const named = { toolCallId: call, toolName: 'look' };
    const said = say('assistant', 3) as EntryBody & { parts: Part[] };
    const output = { type: 'text', value: `${marker()} ${text(words)}` };
    return [
      {
        ...said,
        parts: [...said.parts, { type: 'tool-call', ...named, input: { path: 'a.ts' } }],
      } as EntryBody,
      { kind: 'message', role: 'tool', parts: [{ type: 'tool-result', ...named, output }] },
    ];
  }

  function ending(how: AnySession['end']): EntryBody[] {
    if (how === 'question') return [say('user', 8)];
    if (how === 'cut') return [say('user', 8), say('assistant', 20, { status: 'interrupted' })];
    if (how === 'open call') return [say('user', 8), callAndResult('open', 3)[0]!];
    return [say('user', 8), say('assistant', 20)];
  }
}

function withPicture(body: EntryBody): EntryBody {
  const { parts } = body as { parts: Part[] };
  const picture = { type: 'file', mediaType: 'image/png', data: Buffer.alloc(900, 7).toString('base64') };
  return { ...body, parts: [...parts, picture] } as EntryBody;
}

/** Lets these refusals pass. */
export const only =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes((error as { code?: string }).code ?? '')) throw error;
  };
