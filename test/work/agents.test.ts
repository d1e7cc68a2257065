import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AGENT_TYPES,
  createAgentReader,
  DEFAULT_AGENTS,
  type WorkEvent,
  writeAgents,
} from '../../src/work/index.ts';
import { makeRepository, openWorkshop } from './workshop.ts';

const FILE = path.join('.throughline', 'agents', 'dev.json');

describe('agent descriptions', () => {
  it.each(AGENT_TYPES)('come with the program for %s: a role, instructions and tools', (type) => {
    const { role, instructions, allowedTools } = DEFAULT_AGENTS[type];
    expect([role.length > 50, instructions.length > 3, allowedTools.length > 0]).toEqual([true, true, true]);
  });

  it('are files that people edit, and existing ones are left alone', async () => {
    using repository = makeRepository();
    const reader = createAgentReader(repository.path);
    repository.write(
      FILE,
      JSON.stringify({ role: 'You write Rust.', instructions: [], allowedTools: ['cargo'] }),
    );
    const written = await writeAgents(reader);
    expect(written.map(({ type, written: fresh }) => [type, fresh])).toEqual(
      AGENT_TYPES.map((type) => [type, type !== 'dev']),
    );
    expect(await reader.read('dev')).toMatchObject({ role: 'You write Rust.', allowedTools: ['cargo'] });
    expect(await reader.read('qa')).toMatchObject(DEFAULT_AGENTS.qa);
  });

  it('take effect with the next request of a session, and the old words stay in its log', async () => {
    await using shop = await openWorkshop();
    const { work, repository } = shop;
    const id = await work.createSession('dev-task', 'auth', 'login');
    repository.write(
      FILE,
      JSON.stringify({
        role: 'You write Rust.',
        instructions: ['Be brief.'],
        allowedTools: ['cargo'],
        toolInstructions: 'Ask first.',
      }),
    );
    const { systemPrompt } = await work.buildRequest(id, 'Go on.');
    expect(systemPrompt).toMatch(
      /^# Your Role\n\nYou write Rust\.\n\n## Instructions\n\n- Be brief\.\n\n## Tools\n\nYou may use: cargo\.\n\nAsk first\./,
    );
    await work.buildRequest(id, 'Go on.');
    const notes = await shop.store.read(id, { only: 'notes' });
    const versions = notes.filter(({ body }) => body.kind === 'document' && body.id === 'agent-description');
    expect(versions).toHaveLength(2);
    expect(await work.description(id)).toMatchObject({ agentType: 'dev', role: 'You write Rust.' });
  });

  it.each([
    { text: '{ "role": "You', why: 'it is torn' },
    { text: '{}', why: 'it says nothing' },
    { text: '{"role":"a","instructions":[],"allowedTools":[],"colour":"red"}', why: 'a field is misspelt' },
    { text: '\0\0\0', why: 'it is no text' },
  ])(
    'that cannot be read because $why are said and never replaced; a session goes on with what it knows',
    async ({ text }) => {
      const events: WorkEvent[] = [];
      await using shop = await openWorkshop({ onEvent: (event) => events.push(event) });
      const { work, repository } = shop;
      const id = await work.createSession('dev-task', 'auth', 'login');
      repository.write(FILE, text);
      const { systemPrompt } = await work.buildRequest(id, 'Go on.');
      expect(systemPrompt).toContain(DEFAULT_AGENTS.dev.role);
      expect(events).toContainEqual(expect.objectContaining({ type: 'source-broken', session: id }));
      await expect(work.createSession('dev-task', 'auth', 'login')).rejects.toMatchObject({
        code: 'agent-broken',
      });
      await writeAgents(createAgentReader(repository.path));
      expect(readFileSync(path.join(repository.path, FILE), 'utf8')).toBe(text);
    },
  );
});
