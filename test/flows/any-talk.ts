import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { giveConsent } from '../../src/agent/index.ts';
import { addFact, openProject, placeFolder } from '../../src/project/index.ts';
import type { NewEntry } from '../../src/record/index.ts';
import { anySession, makeSession, text } from '../faces/rpc/any-session.ts';
import { TRANSPORTS } from '../faces/rpc/transports.ts';
import type { WireServer } from '../support/wire-server.ts';
import type { ChatPlace } from './chat-place.ts';

// Sessions with everything around them that decides what a model is sent: a project, an agent module, a model, a window.

const words = fc.nat(40);

export const anyTalk = fc.record({
  session: anySession,
  /** Its own, one that is known nowhere, or none: then the environment's. Each with another window. */
  model: fc.constantFrom(
    'compatible:llama2',
    'compatible:codellama',
    'openrouter:qwen/qwen3-coder',
    undefined,
  ),
  agent: fc.option(
    fc.record({
      instructions: words,
      tools: fc.nat(3),
      /** The module names a model of its own. */
      model: fc.boolean(),
      state: fc.constantFrom('whole' as const, 'whole' as const, 'broken' as const, 'gone' as const),
    }),
    { nil: undefined },
  ),
  /** The folder that the terminal is in, a name that no folder has, or nothing. */
  project: fc.constantFrom('folder' as const, 'folder' as const, 'label' as const, undefined),
  /** Tokens for what is recalled. */
  recall: fc.constantFrom(undefined, undefined, 0, 500),
  /** Which entry is looked back at, from the first to the newest. */
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  /** Words of the project's instructions, and facts of its memory. */
  instructions: fc.option(words, { nil: undefined }),
  facts: fc.nat(2),
  /** Another window than the catalogue's, and how a terminal is given it. */
  window: fc.option(
    fc.record({
      tokens: fc.integer({ min: 3_000, max: 40_000 }),
      by: fc.constantFrom('option' as const, 'environment' as const),
    }),
    { nil: undefined },
  ),
});
export type AnyTalk = typeof anyTalk extends fc.Arbitrary<infer T> ? T : never;

/** A turn that has to compact first, in a window that hardly holds its question and the new summary. */
export const anyTightTalk = fc
  .record({
    talk: anyTalk,
    tokens: fc.integer({ min: 3_000, max: 9_000 }),
    asked: fc.array(fc.integer({ min: 100, max: 1_500 }), { minLength: 3, maxLength: 9 }),
  })
  .map(({ talk, tokens, asked }): AnyTalk => {
    const turns = asked.map(
      (words) => ({ do: 'turn', asked: words, said: 30, steps: 0, output: 0 }) as const,
    );
    const deeds = [...talk.session.deeds, ...turns];
    const session = { ...talk.session, deeds, compaction: 'balanced' as const };
    return { ...talk, session, window: { tokens, by: 'option' } };
  });

export const WIRES = ['openai-chat', 'anthropic'] as const;

/** Makes the session and what is around it; gives its id. */
export async function makeTalk(
  place: ChatPlace,
  server: WireServer,
  { talk, wire }: { talk: AnyTalk; wire: (typeof WIRES)[number] },
): Promise<string> {
  const { agent, instructions, facts } = talk;
  await using store = await place.open();
  await using line = await TRANSPORTS.websocket({ store, env: server.env });
  const project = await openProject(store, (await placeFolder(store, place.folder)).project);
  for (let fact = 0; fact < facts; fact++)
    await addFact(store, project, `Fact ${fact}: ${text(6 + fact)}.`, { source: { by: 'person' } });
  if (instructions !== undefined)
    writeFileSync(path.join(place.folder, 'AGENTS.md'), `Use tabs. ${text(instructions)}`);
  const id = await makeSession({ client: line.client, store }, talk.session, {
    provider: 'offline',
    model: 'quotes',
  });
  const model = wire === 'anthropic' ? anthropicModel(talk.model) : talk.model;
  const set = (name: string, value: string | null): NewEntry => ({
    body: { kind: 'setting', name, value, by: 'user' },
  });
  const agentPath = path.join(place.folder, 'agent.mjs');
  if (agent) {
    writeFileSync(agentPath, moduleText(agent, wire));
    await giveConsent(agentPath);
    if (agent.state === 'broken') writeFileSync(agentPath, 'export const name = 7;');
    if (agent.state === 'gone') rmSync(agentPath);
  }
  await store.append(id, [
    set('provider', null),
    set('model', model ?? null),
    ...(talk.project === undefined
      ? []
      : [set('project', talk.project === 'label' ? 'a plan for spring' : project.id)]),
    // A chat remembers both; one that had to write the name first would number the entries behind it otherwise.
    ...(agent ? [set('agentPath', agentPath), set('agent', 'Sally')] : []),
  ]);
  return id;
}

const anthropicModel = (model: string | undefined) =>
  model?.startsWith('compatible:') ? 'anthropic:claude-sonnet-4-5' : model;

function moduleText(
  { instructions, tools, model }: NonNullable<AnyTalk['agent']>,
  wire: (typeof WIRES)[number],
): string {
  const told = Array.from(
    { length: tools },
    (_, n) =>
      `t${n}: { description: 'Looks at part ${n}.', inputSchema: { type: 'object' }, execute: () => 1 }`,
  );
  const says = JSON.stringify(`Be Sally. ${text(instructions)}`);
  const named = wire === 'anthropic' ? 'anthropic:claude-sonnet-4-5' : 'compatible:codellama';
  return `export const name = 'Sally'; export const instructions = ${says}; export const tools = { ${told.join(', ')} };
    ${model ? `export const model = '${named}';` : ''}`;
}
