import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { reply, unauthorized } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { ACKNOWLEDGED, askedFor, obligingModel } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';

const SUMMARY = `<!-- SESSION_SUMMARY_START -->
**Background Context:** Initial session.

**Current Session Summary:**
**Topics Discussed:**
- Sliding windows

**Decisions Made:**
- 100 requests per minute

**Pending:**
- Load test
<!-- SESSION_SUMMARY_END -->
`;

/** A transcript as the program that this one grew from wrote it. */
function transcript({ end = SUMMARY, question = 'How do we count?' } = {}): string {
  return `# Simple Sally Conversation

**Session ID:** simple_sally_20260105_155557

**Date:** 2026-01-05T15:56:03.320187

**Agent:** Simple Sally

**Agent Path:** /home/sally/agent.py

**Total Queries:** 1

---

## Query 1 (15:56:03)
**You:** ${question}

**Simple Sally:** By a sliding window, one for each user.

*Time: 3.9s | Tokens: 3,130 (in: 3,041, out: 89)*

---

${end}`;
}

describe.concurrent('resume', () => {
  it.each([
    ['a number', () => '1'],
    ['an id', (id: string) => id],
  ])('by %s starts a new session from the summary, and the agent acknowledges', async (_, name) => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const first = await place.talk(['Plan the limiter', 'exit'], { env: server.env });
    const ran = await place.talk([`resume ${name(idIn(first))}`, 'Build it', 'exit'], {
      env: server.env,
      args: ['--new'],
    });
    expect(ran.stderr).toMatch(
      /📋 Loading session\.\.\.\n✓ Found: Plan the limiter - .+ \(1 query, \d+ tokens\)\n🔄 Restoring/,
    );
    expect(ran.stdout).toBe(`${ACKNOWLEDGED}\nAnswer 2.\n`);
    const [child] = await place.sessions<{ queries: number }>();
    expect(child).toMatchObject({ parent: idIn(first), relation: 'resume', queries: 1 });
    const prompt = JSON.stringify(
      server.requests.find((request) => askedFor(request) === 'acknowledgement')!.body,
    );
    expect(prompt).toContain(`Session ID: ${idIn(first)}, 1 query`);
    expect(prompt).toContain('<!-- SESSION_SUMMARY_START -->');
  });

  it('acknowledges under the system prompt of the session, as its turns answer', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const first = await place.talk(['Plan the limiter', 'exit'], { env: server.env });
    const body = { kind: 'setting', name: 'systemPrompt', value: 'Answer in rhymes.', by: 'user' } as const;
    {
      await using store = await place.open();
      await store.append(idIn(first), [{ body }]);
    }
    await place.talk(['Build it', 'exit'], { env: server.env, args: ['--resume', idIn(first)] });
    const systemOf = (kind: string) =>
      JSON.stringify(server.requests.findLast((request) => askedFor(request) === kind)!.body.system);
    expect(systemOf('acknowledgement')).toContain('Answer in rhymes.');
    expect(systemOf('answer')).toContain('Answer in rhymes.');
  });

  it('lists the sessions when none is named', async () => {
    using place = createChatPlace();
    await place.talk(['Plan the limiter', 'exit']);
    const ran = await place.talk(['resume', 'resume 1', 'exit'], { args: ['--new'] });
    expect(ran.stdout).toContain('Plan the limiter');
    expect(ran.stderr).toContain('✓ Found: Plan the limiter');
  });

  it('reads files of the program that this one grew from', async () => {
    using place = createChatPlace();
    const file = path.join(place.folder, 'old.md');
    writeFileSync(file, transcript());
    await using server = await startWireServer('anthropic', obligingModel());
    const ran = await place.talk(['Go on', 'exit'], { env: server.env, args: ['--resume', file] });
    expect(ran.stdout).toContain(ACKNOWLEDGED);
    const [acknowledgement, answer] = server.requests;
    expect(JSON.stringify(acknowledgement!.body)).toContain('100 requests per minute');
    expect(JSON.stringify(answer!.body)).toContain('100 requests per minute');
    expect(ran.stderr).toContain('⚠ Session created with /home/sally/agent.py, which cannot be used here');
    // The old conversation is there as a session of its own, and can be searched.
    expect((await place.run(['search', 'sliding', 'window', '--words'])).stdout).toContain(
      'one for each user',
    );
    expect(place.mirror(idIn(ran))).toContain('# Simple Sally Conversation');
    const next = await place.talk(['And on', 'exit'], { env: server.env });
    expect(next).toMatchObject({ code: 0 });
    expect(idIn(next)).toBe(idIn(ran));
  });

  it('reads its own transcripts as the sessions that they are', async () => {
    using place = createChatPlace();
    const first = await place.talk(['We use sqlite', 'exit']);
    const ran = await place.talk(['exit'], { args: ['--resume', place.mirrorFile(idIn(first))] });
    expect(ran.stderr).toContain('✓ Found: We use sqlite');
    expect(await place.sessions()).toMatchObject([{ parent: idIn(first) }, { id: idIn(first) }]);
  });

  it('is not misled by text that quotes the markers', async () => {
    using place = createChatPlace();
    const first = await place.talk(['What does <!-- SESSION_SUMMARY_START --> mean?', 'exit']);
    const ran = await place.talk(['exit'], { args: ['--resume', place.mirrorFile(idIn(first))] });
    expect(ran.stdout).toContain('SESSION_SUMMARY_START');
    expect(ran.stderr).not.toContain('invalid summary');
  });
});

describe.concurrent('when something is wrong, resume', () => {
  it('says that the parent is not there, and goes on', async () => {
    using place = createChatPlace();
    const ran = await place.talk(['resume session_2', 'resume old/session_2.md', 'Hello', 'exit']);
    expect(ran.stderr).toContain('⚠ Parent session session_2 not found, starting fresh');
    expect(ran.stderr).toContain('⚠ Parent session old/session_2.md not found, starting fresh');
    expect(ran.code).toBe(0);
    expect(await place.sessions()).toMatchObject([{ title: 'Hello' }]);
  });

  it('never takes another session for the one that was named on the command line', async () => {
    using place = createChatPlace();
    await place.talk(['Hello', 'exit']);
    const ran = await place.talk(['Hi', 'exit'], { args: ['--resume', 'session_9'] });
    expect(ran).toMatchObject({ code: 10, stdout: '' });
    expect(await place.sessions()).toHaveLength(1);
  });

  it.each([
    ['no summary', ''],
    ['invalid summary format', '<!-- SESSION_SUMMARY_START -->\n**Topics Discussed:**\n- cut off here'],
    ['invalid summary format', '<!-- SESSION_SUMMARY_START -->\nnothing\n<!-- SESSION_SUMMARY_END -->\n'],
  ])('of a file with %s warns, and makes a summary from the messages', async (trouble, end) => {
    using place = createChatPlace();
    const file = path.join(place.folder, 'old.md');
    writeFileSync(file, transcript({ end, question: 'We decided to count per user. How?' }));
    const ran = await place.talk(['exit'], { args: ['--resume', file] });
    expect(ran.stderr).toContain(`(${trouble})`);
    expect(ran.stderr).toContain('It was left without a summary; making one... ✓');
    expect(ran.stdout).toContain('count per user');
  });

  it('warns of another agent', async () => {
    using place = createChatPlace();
    const agents = path.join(place.folder, 'agents');
    mkdirSync(agents);
    for (const name of ['Sally', 'Harry'])
      writeFileSync(
        path.join(agents, `${name}.mjs`),
        `export const name = '${name}'; export const instructions = 'You are ${name}.';`,
      );
    await using server = await startWireServer('anthropic', obligingModel());
    const first = await place.talk(['Hello', 'exit'], {
      env: server.env,
      args: ['--agent', 'agents/Sally.mjs'],
    });
    expect(idIn(first)).toMatch(/^sally_/);
    expect(place.mirror(idIn(first))).toContain('**Sally:** Answer 1.');
    const same = await place.talk(['Hello again', 'exit'], { env: server.env });
    expect(same.stderr).toContain('Agent: Sally');
    expect(JSON.stringify(server.requests.at(-2)!.body)).toContain('You are Sally.');
    const other = await place.talk(['Go on', 'exit'], {
      env: server.env,
      args: ['--resume', idIn(first), '--agent', 'agents/Harry.mjs'],
    });
    expect(other.stderr).toMatch(/⚠ Session created with \S+Sally\.mjs, using \S+Harry\.mjs\.\n/);
    expect(idIn(other)).toMatch(/^harry_/);
  });

  it.each([
    ['nothing', reply(''), 'The agent acknowledged without a word.'],
    ['an error', unauthorized(), 'The agent did not acknowledge:'],
  ])('trusts an acknowledgement of %s, and goes on', async (_, step, warning) => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel({ acknowledgement: () => step }));
    await place.talk(['Plan the limiter', 'exit'], { env: server.env });
    const ran = await place.talk(['Go on', 'exit'], { env: server.env, args: ['--resume', '1'] });
    expect(ran.stderr).toContain(warning);
    expect(ran).toMatchObject({ code: 0, stdout: 'Answer 2.\n' });
  });

  it('by one word or by a title, and says so when there is none', async () => {
    using place = createChatPlace();
    const id = idIn(
      await place.talk(['title "Rate limiter"', 'We use Redis.', 'title "Rate limiter"', 'exit']),
    );
    const ran = await place.talk(['resume nosuch', '/resume rate limiter', 'exit codes are wrong', 'exit'], {
      args: ['--new'],
    });
    expect(ran.stderr).toContain('⚠ Parent session nosuch not found, starting fresh');
    expect(ran.stderr).toContain('✓ Found: Rate limiter');
    expect(ran.stderr).toContain('(sent as a message; the command is /exit)');
    expect(await place.sessions()).toMatchObject([{ parent: id, queries: 1 }, { id }]);
  });

  it('goes on from the restored summary when nothing was said after "compact"', async () => {
    using place = createChatPlace();
    const before = await place.talk(['We decided: the lease is three minutes', 'compact', 'exit']);
    const next = await place.talk(['exit'], { args: ['--resume', '1'] });
    expect([before.code, next.code]).toEqual([0, 0]);
    expect(next.stderr + next.stdout).not.toContain('starting fresh');
    expect(next.stderr + next.stdout).toContain('the lease is three minutes');
  });
});
