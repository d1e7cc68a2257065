import { describe, expect, it } from 'vitest';
import { pathForAgent, placeForAgent } from '../../../src/transcripts/index.ts';

const home = '/home/sally';

describe('where an agent looks for sessions', () => {
  it.each([
    [
      'pi',
      '/home/sally/.pi/agent/sessions/--srv-my.shop--',
      '2026-01-05T10-00-00-000Z_abc.jsonl',
      "cd /srv/my.shop && pi --session '/x y/2026-01-05T10-00-00-000Z_abc.jsonl'",
    ],
    [
      'claude-code',
      '/home/sally/.claude/projects/-srv-my-shop',
      '6f0d2a3e-0000-4000-8000-000000000001.jsonl',
      'cd /srv/my.shop && claude --resume 6f0d2a3e-0000-4000-8000-000000000001',
    ],
    [
      'codex',
      '/home/sally/.codex/sessions',
      'rollout-2026-06-01T09-00-00-019f0000-0000-7000-8000-000000000001.jsonl',
      'cd /srv/my.shop && codex resume 019f0000-0000-7000-8000-000000000001',
    ],
  ] as const)('is known for %s, and what to type there', (agent, folder, file, command) => {
    const place = placeForAgent(agent, { project: '/srv/my.shop', home, env: {} });
    expect(place.folder).toBe(folder);
    expect(place.command(`/x y/${file}`)).toBe(command);
  });

  it('is where its own setting says', () => {
    const env = { CODEX_HOME: '/c', CLAUDE_CONFIG_DIR: '/d', PI_CODING_AGENT_DIR: '/e' };
    const folders = (['codex', 'claude-code', 'pi'] as const).map(
      (agent) => placeForAgent(agent, { project: '/a', home, env }).folder,
    );
    expect(folders).toEqual(['/c/sessions', '/d/projects/-a', '/e/sessions/--a--']);
  });

  it('has a folder for each day at Codex', () => {
    const file = 'rollout-2026-06-01T09-00-00-x.jsonl';
    expect(pathForAgent('codex', file)).toBe(`2026/06/01/${file}`);
    expect(pathForAgent('pi', 'a.jsonl')).toBe('a.jsonl');
  });

  it('is typed as one word whatever it is called', () => {
    const place = placeForAgent('claude-code', { project: "/it's here; rm -rf", home, env: {} });
    expect(place.command('/a.jsonl')).toBe(`cd '/it'\\''s here; rm -rf' && claude --resume a`);
  });
});
