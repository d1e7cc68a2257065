import { expect, it } from 'vitest';
import { openAgent, readCalls } from '../../src/agent/index.ts';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { callTool, reply } from '../support/wire-script.ts';
import { startWireServer, type WireRequest } from '../support/wire-server.ts';

const filler = (n: number) => `Nothing in remark ${n} matters to the readers of it. `.repeat(120);
const look = {
  description: 'Looks at a page.',
  inputSchema: { type: 'object' },
  execute: () => `Page: ${filler(7)}`,
};
const settings = {
  trigger: { tokens: 9_000 },
  soft: 0.99,
  keep: { tokens: 3_000 },
  least: { messages: 2 },
  fanout: 4,
};
const namesIn = ({ body }: WireRequest) => (body.tools ?? []).map(({ name }: { name: string }) => name);

it.each([
  { name: 'between turns', steps: 0 },
  { name: 'in the middle of a turn', steps: 9 },
])(
  'the recall tool comes with the first compaction, $name, so that the cache breaks once',
  async ({ steps }) => {
    let made = 0;
    await using server = await startWireServer('anthropic', (_, n) =>
      made++ < steps ? callTool('look', {}, { id: `c${n}` }) : reply(`Answer ${n}. ${filler(n)}`),
    );
    await using session = await createSession(createMemoryStore());
    await using agent = await openAgent(session, {
      openModel: { env: server.env },
      tools: { look },
      compaction: { settings, summariser: 'digest' },
    });
    for (let n = 0; n < 12; n++) await agent.send(`Question ${n}? ${filler(n)}`);

    const { requests } = server;
    const first = requests.findIndex((one) => JSON.stringify(one.body).includes('[Record '));
    expect(first).toBeGreaterThan(2);
    for (const [n, request] of requests.entries())
      expect({ n, names: namesIn(request).toSorted() }).toEqual({
        n,
        names: n < first ? ['look'] : ['look', 'recall'],
      });
    const breaks: unknown[] = [];
    for await (const { cacheBreak } of readCalls(session.store, await session.refresh()))
      breaks.push(cacheBreak?.cause);
    expect(breaks.indexOf('tools')).toBe(breaks.findIndex(Boolean));
    expect(breaks.filter((cause) => cause === 'tools')).toHaveLength(1);
  },
);
