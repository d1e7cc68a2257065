import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChooseModelOptions, chooseModel, modelSettings } from '../../src/models/index.ts';

const KEYS = {
  ANTHROPIC_API_KEY: 'a',
  OPENAI_API_KEY: 'o',
  GEMINI_API_KEY: 'g',
};
const env = { ANTHROPIC_API_KEY: 'a', THROUGHLINE_MODEL: 'ollama:llama2' };

const choose = (settings: { provider?: string; model?: string }, options: ChooseModelOptions = {}) =>
  chooseModel({ settings }, { open: { env }, ...options });

const USABLE = ['anthropic:claude-opus-4-5', 'claude-sonnet-5', 'claude:claude-opus-4-5', 'ollama:qwen3:8b'];
const UNUSABLE = ['openai:gpt-5', 'gemini', 'openrouter:qwen/qwen3-coder', 'big-pickle', 'compatible:fake'];
/** A model alone that may be one of the session's: where names have colons of their own, this one is no exception. */
const mayBeOf = (remembered: string, asked: string) =>
  asked === 'big-pickle' || (asked === 'openrouter:qwen/qwen3-coder' && remembered.startsWith('ollama:'));
const named = fc.option(fc.constantFrom(...USABLE, ...UNUSABLE), { nil: undefined });

describe('the model that answers', () => {
  it('is of the provider that is asked for, also beside the older name of a model of another one', async () => {
    const settings = { provider: 'offline', model: 'anthropic:claude-opus-4-5' };
    expect((await choose(settings, { asked: { provider: 'offline' } })).id).toBe('offline:quotes');
    await expect(
      choose({}, { asked: { provider: 'openai', model: 'anthropic:claude-opus-4-5' } }),
    ).rejects.toMatchObject({ code: 'model-unknown' });
    const same = await choose({}, { asked: { provider: 'claude', model: 'anthropic:claude-opus-4-5' } });
    expect(same.id).toBe('anthropic:claude-opus-4-5');
  });

  it.each(['constructor', 'toString:x', '__proto__', '__proto__:x', 'hasOwnProperty'])(
    'is none that is called "%s", whatever objects have by nature',
    async (name) => {
      await expect(choose({}, { asked: name })).rejects.toMatchObject({ code: 'model-unknown' });
      expect((await choose({ model: name })).problem).toContain('cannot be used');
      expect((await choose({ provider: name })).problem).toContain('cannot be used');
    },
  );

  it('is the first in line that can be used; only a model of the call is an error', async () => {
    const line = fc.record({ asked: named, agent: named, remembered: named });
    await fc.assert(
      fc.asyncProperty(line, async ({ asked, agent, remembered }) => {
        const chosen = choose(remembered === undefined ? {} : { model: remembered }, { asked, agent });
        if (asked && remembered && mayBeOf(remembered, asked) && USABLE.includes(remembered)) {
          const { provider, model, because } = await chosen;
          expect([model, because]).toEqual([asked, 'asked']);
          expect(provider).toBe((await choose({ model: remembered! })).provider);
          return;
        }
        if (asked !== undefined && UNUSABLE.includes(asked)) {
          await expect(chosen).rejects.toMatchObject({ code: /^model-(?:unknown|not-configured)$/ });
          return;
        }
        const { because, id, problem, opened } = await chosen;
        const wishes = { asked, agent, session: remembered };
        const first = Object.entries(wishes).find(([, one]) => one !== undefined && USABLE.includes(one));
        expect(because).toBe(first?.[0] ?? 'environment');
        expect(opened?.id).toBe(id);
        if (!first) expect(id).toBe('ollama:llama2');
        const wished = [agent, remembered].slice(0, because === 'agent' ? 1 : 2);
        const missed = asked === undefined ? wished.find((one) => one && UNUSABLE.includes(one)) : undefined;
        if (missed === undefined) expect(problem).toBeUndefined();
        else expect(problem).toContain(`${missed} cannot be used: `);
      }),
    );
  });

  it.each([
    { settings: { provider: 'ollama', model: 'qwen3:8b' }, id: 'ollama:qwen3:8b', why: 'a colon of its own' },
    { settings: { provider: 'claude', model: 'claude-opus-4-5' }, id: 'anthropic:claude-opus-4-5' },
    { settings: { provider: 'openai', model: 'anthropic:claude-opus-4-5' }, id: 'anthropic:claude-opus-4-5' },
    { settings: { provider: 'anthropic' }, id: /^anthropic:claude-/ },
  ])('is read from the settings $settings', async ({ settings, id }) => {
    const chosen = await choose(settings as Record<string, string>);
    expect([chosen.id, chosen.because]).toEqual([
      typeof id === 'string' ? id : expect.stringMatching(id),
      'session',
    ]);
  });

  it.each([
    { asked: { provider: 'openai' }, id: 'openai:gpt-5', why: "the session's model of that provider" },
    { asked: { provider: 'anthropic' }, id: /^anthropic:claude-/, why: "that provider's default" },
    { asked: { model: 'gemini-3-pro' }, id: 'google:gemini-3-pro', why: 'its name tells its provider' },
    { asked: { model: 'brand-new' }, id: 'openai:brand-new', why: "the session's provider" },
    { asked: { provider: 'gemini', model: 'x' }, id: 'google:x', why: 'an alias' },
  ])('is asked for by $asked: $why', async ({ asked, id }) => {
    const settings = { provider: 'openai', model: 'gpt-5' };
    const chosen = await choose(settings, { asked, open: { env: KEYS } });
    expect(chosen.id).toEqual(typeof id === 'string' ? id : expect.stringMatching(id));
  });

  it.each([
    [{ provider: 'openai', model: 'gpt-5' }, { provider: 'openai' }, 'openai:gpt-5'],
    [{ model: 'openai:gpt-5' }, { provider: 'openai' }, 'openai:gpt-5'],
    [{ model: 'gpt-5' }, { provider: 'openai' }, 'openai:gpt-5'],
    [{ provider: 'offline', model: 'openai:gpt-5' }, { provider: 'openai' }, 'openai:gpt-5'],
    [{ model: 'openai:gpt-5' }, { model: 'brand-new' }, 'openai:brand-new'],
    [{ model: 'openai:gpt-5' }, 'brand-new', 'openai:brand-new'],
    [{ model: 'openai:gpt-5' }, 'claude-opus-4-5', 'anthropic:claude-opus-4-5'],
    [{ provider: 'agent-sdk', model: 'opus' }, 'claude-opus-4-5', 'anthropic:claude-opus-4-5'],
  ])('in a session set to %o, asked for as %o, is %s', async (settings, asked, id) => {
    expect((await choose(settings, { asked, open: { env: KEYS } })).id).toBe(id);
  });

  it.each(['anthropic', 'claude', 'openai', 'google', 'offline'])(
    'is none of %s if its name begins with a provider that is not known here',
    async (provider) => {
      const [model, open] = ['openrouter:x', { env: { ...KEYS, ...env } }];
      const refused = {
        code: 'model-unknown',
        message: expect.stringContaining('"openrouter" is no provider'),
      };
      for (const asked of [model, { model }, { provider, model }])
        await expect(choose({ provider }, { asked, open })).rejects.toMatchObject(refused);
      expect(() => modelSettings({ model }, { provider })).toThrow(expect.objectContaining(refused));
      const remembered = await choose({ provider, model }, { open });
      expect([remembered.id, remembered.because]).toEqual(['ollama:llama2', 'environment']);
      expect(remembered.problem).toContain('openrouter:x cannot be used: ');
      expect(modelSettings({ provider: 'google' }, { provider: 'ollama', model })).toEqual({
        provider: 'google',
        model: null,
      });
    },
  );

  it.each([
    [{ provider: 'ollama' }, 'qwen3:8b', 'ollama:qwen3:8b'],
    [{ provider: 'openai' }, 'ft:gpt-5:acme::1', 'openai:ft:gpt-5:acme::1'],
    [{ provider: 'openai' }, { provider: 'google', model: 'ft:gpt-5:acme::1' }, 'google:ft:gpt-5:acme::1'],
    [{ provider: 'anthropic' }, 'anthropic:openrouter:x', 'anthropic:openrouter:x'],
  ])('in a session set to %o, asked for by a name with colons, %o, is %s', async (settings, asked, id) => {
    expect((await choose(settings, { asked, open: { env: KEYS } })).id).toBe(id);
  });

  it('is the one of the conversation so far in a session that names none', async () => {
    const current = await choose({}, { asked: 'claude-opus-4-5' });
    expect(await choose({}, { current })).toBe(current);
    const other = await choose({ model: 'ollama:qwen3' }, { current });
    expect([other.id, other.because]).toEqual(['ollama:qwen3', 'session']);
  });

  it('is the agent SDK only where that can be run', async () => {
    const settings = { provider: 'agent-sdk', model: 'opus' };
    const there = await choose(settings, { agentSdk: true, agent: 'claude-opus-4-5' });
    expect([there.id, there.provider, there.opened]).toEqual(['agent-sdk:opus', 'agent-sdk', undefined]);
    const here = await choose(settings);
    expect([here.id, here.problem]).toEqual(['ollama:llama2', expect.stringContaining('agent-sdk:opus')]);
  });

  it('is announced without its key if it is asked for, or if no other is connected', async () => {
    const bare = { announced: true, open: { env: {} } };
    const asked = await choose({}, { ...bare, asked: 'openai:gpt-4' });
    expect([asked.id, asked.limits.window, asked.opened]).toEqual(['openai:gpt-4', 8192, undefined]);
    const meant = await choose({ model: 'gpt-4' }, bare);
    expect([meant.id, meant.problem]).toEqual(['openai:gpt-4', expect.stringContaining('OPENAI_API_KEY')]);
    expect(meant.answeredBy).toBe((await choose({ model: 'gpt-4' }, { open: { env: {} } })).id);
    const other = await choose({ model: 'gpt-4' }, { announced: true });
    expect([other.id, other.because]).toEqual(['ollama:llama2', 'environment']);
  });
});
