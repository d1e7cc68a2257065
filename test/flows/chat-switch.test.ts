import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rateLimited, type Step, serverError, unauthorized } from '../support/wire-script.ts';
import { startWireServer, type WireRequest } from '../support/wire-server.ts';
import { askedFor, obligingModel } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';

const summaries = (requests: readonly WireRequest[]) =>
  requests.filter((request) => askedFor(request) === 'summary').length;

describe.concurrent('a session that a chat goes over to', () => {
  it.each([
    ['compact', []],
    ['fork', []],
    ['resume 1', ['sessions']],
  ])('by "%s" has its transcript when the chat is left at once', async (command, before) => {
    using place = createChatPlace();
    const ran = await place.talk(['We use Redis.', ...before, command], { args: ['--new'] });
    expect(ran.code).toBe(0);
    expect(ran.stderr).not.toContain('⚠');
    const [child, parent] = await place.sessions<{ id: string; parent: string }>();
    expect(child!.parent).toBe(parent!.id);
    for (const { id } of [child!, parent!]) expect(existsSync(place.mirrorFile(id)), id).toBe(true);
  });

  it('has it at the start too', async () => {
    using place = createChatPlace();
    const first = idIn(await place.talk(['We use Redis.', 'exit']));
    const ran = await place.talk([], { args: ['--resume', first] });
    expect(ran.stderr).not.toContain('⚠');
    const [child] = await place.sessions();
    expect(place.mirror(child!.id)).toContain(`Resumed from ${first}`);
  });
});

it('what a project knows is no session to talk in, also by its whole id', async () => {
  using place = createChatPlace();
  await place.run(['memory', 'add', 'We use pnpm.']);
  const stored = async () => {
    await using store = await place.open();
    const { sessions } = await store.list({ limit: 10, place: 'memory' });
    return sessions.map(({ id, head }) => ({ id, head }));
  };
  const before = await stored();
  expect(before).toHaveLength(1);
  const { id } = before[0]!;
  const ran = await place.talk(['Hello'], { args: ['--continue', id] });
  expect(ran.code).toBe(10);
  expect(ran.stderr).toContain(`"${id}" is what a project knows or its board, and no session to talk in.`);
  const resumed = await place.talk(['exit'], { args: ['--resume', id] });
  expect(resumed.stderr).toContain(`Parent session ${id} not found`);
  expect(await stored()).toEqual(before);
});

describe.concurrent('the tokens of a session', () => {
  it('are the same number wherever they are shown, and add up from the log', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const { env } = server;
    const left = await place.talk(['Plan the limiter', 'And its tests', 'exit'], { env });
    const id = idIn(left);
    // Two answers of 110, a summary of 360.
    expect(left.stderr).toContain('  Tokens: 580\n');
    const resumed = await place.talk(['Build it', 'compact', 'exit'], { env, args: ['--resume', id] });
    expect(resumed.stderr).toMatch(/✓ Found: .* \(2 queries, 580 tokens\)/);
    const [last, middle] = await place.sessions();
    expect(place.mirror(middle!.id)).toContain(`Resumed from ${id} (2 queries, 580 tokens)`);
    const told = JSON.stringify(server.requests.find((one) => askedFor(one) === 'acknowledgement')!.body);
    expect(told).toContain(`(Session ID: ${id}, 2 queries, 580 tokens)`);
    // Of the one in the middle: an answer and a summary; its restoration is counted apart.
    expect(resumed.stderr).toContain(`💾 Saved session: ${middle!.id} (1 query, 470 tokens)`);
    expect(place.mirror(last!.id)).toContain(`Resumed from ${middle!.id} (1 query, 470 tokens)`);
    const again = await place.talk(['More', 'exit'], { env, args: ['--continue', middle!.id] });
    expect(again.stderr).toContain('Session Tokens: 940\n');
    const found = await place.talk(['exit'], { env, args: ['--resume', middle!.id] });
    expect(found.stderr).toMatch(/✓ Found: .* \(2 queries, 940 tokens\)/);
  });

  it('are those of the offline answers without a model', async () => {
    using place = createChatPlace();
    const left = await place.talk(['We use Redis.', 'What do we use?', 'exit']);
    const [, tokens] = /Tokens: ([\d,]+)/.exec(left.stderr)!;
    const resumed = await place.talk(['compact'], { args: ['--resume', idIn(left)] });
    expect(resumed.stderr).toContain(`(2 queries, ${tokens} tokens)`);
    const lines = [...place.mirror(idIn(left)).matchAll(/\| Tokens: ([\d,]+)/g)];
    const sum = lines.reduce((all, [, each]) => all + Number(each!.replaceAll(',', '')), 0);
    expect(sum.toLocaleString('en-US')).toBe(tokens);
  });

  it('are not shown for a file without them', async () => {
    using place = createChatPlace();
    const file = path.join(place.folder, 'old.md');
    writeFileSync(file, OLD);
    const ran = await place.talk(['exit'], { args: ['--resume', file] });
    expect(ran.stderr).toMatch(/✓ Found: .* \(1 query\)\n/);
  });
});

const OLD = `# Eve Conversation

**Session ID:** eve_20260105_155557
**Date:** 2026-01-05T15:56:03.320187
**Agent:** Eve
**Total Queries:** 1

---

## Query 1 (15:56:03)
**You:** We decided to count per user. How?

**Eve:** By a sliding window.

---
`;

describe.concurrent('a summary', () => {
  it.each<[string, () => Step, number]>([
    ['a server that fails', () => serverError(), 2],
    ['a server that is busy for a moment', () => rateLimited({ retryAfterSeconds: 1 }), 2],
    ['a server that is busy for long', () => rateLimited({ retryAfterSeconds: 120 }), 1],
    ['a key that is not accepted', () => unauthorized(), 1],
  ])('is asked of %s once more at most', async (_, step, times) => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel({ summary: step }));
    const left = await place.talk(['We decided to use Redis.', 'exit'], { env: server.env });
    expect(left.stderr).toContain('session saved without a summary');
    expect(summaries(server.requests)).toBe(times);
    await place.talk(['exit'], { env: server.env, args: ['--resume', idIn(left)] });
    expect(summaries(server.requests)).toBe(times * 2);
  });

  it('that a resumed session lacked is made once and kept', async () => {
    using place = createChatPlace();
    const file = path.join(place.folder, 'old.md');
    writeFileSync(file, OLD);
    await using server = await startWireServer('anthropic', obligingModel());
    const { env } = server;
    const first = await place.talk(['exit'], { env, args: ['--resume', file] });
    expect(first.stderr).toContain('It was left without a summary; making one... ✓');
    expect(first.stderr).toContain('⚠ The file can');
    const second = await place.talk(['exit'], { env, args: ['--resume', file] });
    expect(second.stderr).not.toContain('making one');
    expect(second.stderr).not.toContain('⚠');
    expect(summaries(server.requests)).toBe(1);
    expect(place.mirror('eve_20260105_155557')).toContain('- Use token bucket with Redis backing');
    // What was said since is not in it.
    appendFileSync(file, '\n## Query 2 (16:00:00)\n**You:** And the tests?\n\n**Eve:** Later.\n\n---\n');
    const third = await place.talk(['exit'], { env, args: ['--resume', file] });
    expect(third.stderr).toContain('making one... ✓');
    expect(summaries(server.requests)).toBe(2);
  });

  it('that the digest made in place of a model is not kept', async () => {
    using place = createChatPlace();
    const file = path.join(place.folder, 'old.md');
    writeFileSync(file, OLD);
    const broken = (_: WireRequest, index: number) => (index < 1 ? unauthorized() : undefined!);
    await using server = await startWireServer('anthropic', obligingModel({ summary: broken }));
    const first = await place.talk(['exit'], { env: server.env, args: ['--resume', file] });
    expect(first.stderr).toContain('The digest wrote it instead.');
    const second = await place.talk(['exit'], { env: server.env, args: ['--resume', file] });
    expect(second.stderr).toContain('making one... ✓');
    expect(second.stderr).not.toContain('The digest wrote it instead.');
  });
});
