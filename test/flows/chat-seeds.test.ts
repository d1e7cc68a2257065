import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/session/index.ts';
import { reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { ACKNOWLEDGED, askedFor, obligingModel } from './chat-model.ts';
import { type ChatPlace, createChatPlace, idIn } from './chat-place.ts';

const block = (topic: string) => `<!-- SESSION_SUMMARY_START -->
**Background Context:** Initial session.

**Current Session Summary:**
**Topics Discussed:**
- ${topic}

**Decisions Made:**
- None

**Pending:**
- None
<!-- SESSION_SUMMARY_END -->`;

/** A model whose nth summary is about the nth topic. */
const topical = () =>
  obligingModel({
    summary: (_, index) => reply(block(`topic ${index + 1}`), { usage: { input: 9, output: 9 } }),
  });

function sally(place: ChatPlace): string {
  const file = path.join(place.folder, 'sally.mjs');
  writeFileSync(file, `export const name = 'Simple Sally'; export const instructions = 'You are Sally.';`);
  return file;
}

describe.concurrent('the transcript', () => {
  it('of a session that was resumed is, to the letter, what the first program wrote', async () => {
    using place = createChatPlace();
    const agent = sally(place);
    await using server = await startWireServer('anthropic', topical());
    const options = { env: server.env, args: ['--agent', agent] };
    const first = await place.talk(['Plan the limiter', 'exit'], options);
    const ran = await place.talk(['Build it', 'exit'], {
      env: server.env,
      args: ['--agent', agent, '--resume', idIn(first)],
    });
    const text = place
      .mirror(idIn(ran))
      .replace(/\d\d:\d\d:\d\d/g, 'HH:MM:SS')
      .replace(/\d{4}-\d\d-\d\dT/, 'DATE')
      .replace(/\.\d{6}$/m, '.MICROS')
      .replace(/Time: [\d.]+s/g, 'Time: 1.0s')
      .replace(/\(1 query, \d+ tokens\)/, '(1 query, N tokens)');
    expect(idIn(ran)).toMatch(/^simple_sally_\d{8}_\d{6}/);
    expect(text).toBe(`# Simple Sally Conversation

**Session ID:** ${idIn(ran)}
**Date:** DATEHH:MM:SS.MICROS
**Agent:** Simple Sally
**Agent Path:** ${agent}
**Total Queries:** 1

---

## Session Restored (HH:MM:SS)
**Context:** Resumed from ${idIn(first)} (1 query, N tokens)
**Previous Session:** ${place.mirrorFile(idIn(first))}

**Simple Sally:** ${ACKNOWLEDGED}

*Time: 1.0s | Tokens: 156 (in: 89, out: 67)*

---

## Query 1 (HH:MM:SS)
**You:** Build it

**Simple Sally:** Answer 2.

*Time: 1.0s | Tokens: 110 (in: 100, out: 10)*

---

${block('topic 2')}
`);
    // "export" prints the same, and the whole way as one document.
    const { stdout } = await place.run(['export', idIn(ran), '--format', 'markdown']);
    expect(stdout).toBe(place.mirror(idIn(ran)));
    const chain = await place.talk(['export --chain', 'exit']);
    expect(chain.stdout.match(/^\*\*(?:Session ID|You):\*\* .*$/gm)).toEqual([
      `**Session ID:** ${idIn(first)}`,
      '**You:** Plan the limiter',
      `**Session ID:** ${idIn(ran)}`,
      '**You:** Build it',
    ]);
    expect(chain.stdout).toContain('- topic 1\n');
  });

  it('holds what a file of many lines and marks said, and nothing is torn', async () => {
    using place = createChatPlace();
    const ran = await place.talk(['--- **You:** quoted', 'exit']);
    expect(place.mirror(idIn(ran))).toContain('**You:** --- **You:** quoted\n');
  });
});

describe.concurrent('resume and compact', () => {
  it('in turn: each session knows the one before it and nothing older, and the numbers add up', async () => {
    using place = createChatPlace();
    const agent = sally(place);
    await using server = await startWireServer('anthropic', topical());
    const first = await place.talk(['One', 'exit'], { env: server.env, args: ['--agent', agent] });
    const then = await place.talk(['resume 1', 'Two', 'compact', 'Three', 'cost', 'exit'], {
      env: server.env,
      args: ['--new', '--agent', agent],
    });
    const last = await place.talk(['Four', 'cost', 'exit'], { env: server.env, args: ['--resume', '1'] });
    const asked = server.requests
      .filter((request) => askedFor(request) === 'acknowledgement')
      .map(({ body }) => JSON.stringify(body));
    expect(asked.map((text) => text.match(/topic \d/g))).toEqual([['topic 1'], ['topic 2'], ['topic 3']]);
    // The agent is the same all the way, and is told where it comes from.
    for (const text of asked) expect(text).toContain('You are Sally.');
    expect(asked[0]).not.toContain('This session was resumed from');
    expect(asked[1]).toContain(`This session was resumed from: ${idIn(first)}`);
    expect(asked[1]).toMatch(/Previous session file: \S+simple_sally_\S+\.md/);
    const sessions = await place.sessions<{ id: string; parent: string | null; queries: number }>();
    expect(sessions.map(({ queries }) => queries)).toEqual([1, 1, 1, 1]);
    expect(sessions.map(({ parent }) => parent)).toEqual([...sessions.slice(1).map(({ id }) => id), null]);

    for (const { stdout, stderr } of [then, last]) {
      const of = (name: string) =>
        Number(new RegExp(`^  ${name} +([\\d,]+) tokens`, 'm').exec(stdout)![1]!.replaceAll(',', ''));
      expect(of('answers') + of('compactions') + of('restoration')).toBe(of('combined'));
      expect(of('restoration')).toBe(156);
      // Leaving adds its summary to the compactions: 18 tokens.
      const saved = Number(/Combined Total: ([\d,]+)/.exec(stderr)![1]!.replaceAll(',', ''));
      expect(saved).toBe(of('combined') + 18);
    }
  });

  it('take a summary of any length', async () => {
    using place = createChatPlace();
    const long = Array.from({ length: 900 }, (_, i) => `word${i}`).join(' ');
    const script = obligingModel({ summary: () => reply(block(`Much: ${long}`)) });
    await using server = await startWireServer('anthropic', script);
    const first = await place.talk(['Hello', 'exit'], { env: server.env });
    expect(first.stderr).toContain('Generating session summary... ✓');
    await place.talk(['exit'], { env: server.env, args: ['--resume', idIn(first)] });
    const acknowledgement = server.requests.find((request) => askedFor(request) === 'acknowledgement')!;
    expect(JSON.stringify(acknowledgement.body)).toContain('word899');
  });

  it('of a session in which nothing was said says so, and you start fresh', async () => {
    using place = createChatPlace();
    {
      await using store = await place.open();
      await using _ = await createSession(store, { id: 'silent', project: place.folder });
    }
    const ran = await place.talk(['/resume silent', 'Hello', 'exit']);
    expect(ran.stderr).toContain(
      "⚠ Session can't be resumed (no summary, and nothing was said in it), starting fresh",
    );
    expect(await place.sessions()).toMatchObject([{ title: 'Hello', parent: null }, { id: 'silent' }]);
    const running = await place.talk(['Go on', '/resume silent', 'And on', 'exit']);
    expect(running.stderr).toContain('nothing was said in it); this session goes on');
    expect(await place.sessions()).toHaveLength(2);
  });

  it('put no words of the machinery into the memory', async () => {
    using place = createChatPlace();
    const said = ['We decided to use Postgres.', 'The port is 5433.', 'Next is the backup.', 'Which port?'];
    const ran = await place.talk([
      ...said,
      'compact --here',
      'expand',
      'expand 1',
      'collapse 1',
      'compact',
      'exit',
    ]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/1 {2}entries \d+–\d+ .*by digest {2}collapsed/);
    const sessions = await place.sessions<{ id: string }>();
    for (const { id } of sessions) {
      const { entries } = await place.show<{ summary?: unknown; content?: unknown }>(id);
      const remembered = JSON.stringify(entries.map(({ summary, content }) => [summary, content]));
      expect(remembered).not.toMatch(/API_KEY|ollama|offline|no model/i);
    }
    expect(ran.stdout.split('Decided: ').at(-1)).toContain('Postgres');
  });
});

describe.concurrent('a session of the army', () => {
  it('is sent as a summary and the newest messages, and its files have every field filled', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const said = Array.from(
      { length: 24 },
      (_, i) =>
        `Step ${i}: a token bucket with Redis backing, and integration testing with the auth system; ${'we moved the parser to /srv/app/parse.ts '.repeat(200)}`,
    );
    const ran = await place.talk([...said, 'And now?', 'exit'], {
      env: server.env,
      args: ['--preset', 'army'],
    });
    const last = server.requests.filter((request) => askedFor(request) === 'answer').at(-1)!;
    const sent = JSON.stringify(last.body);
    expect(last.body.messages.length).toBeLessThanOrEqual(30);
    expect(sent).toContain('Use token bucket with Redis backing');
    expect(sent).not.toContain('Step 1:');
    // What is no longer sent can still be found, and is in the files.
    expect((await place.run(['search', '"Step 0"', '--words'])).stdout).toContain('Step 0');
    const out = path.join(place.folder, 'army');
    await place.run(['export', idIn(ran), '--format', 'army', '--out', out]);
    const file = (name: string) =>
      JSON.parse(readFileSync(path.join(out, 'sessions', idIn(ran), `${name}.json`), 'utf8'));
    expect(file('full').messages).toHaveLength(50);
    const working = file('working');
    expect(Object.keys(working).sort()).toEqual([
      'decisions',
      'files_touched',
      'open_tasks',
      'pinned_facts',
      'recent_messages',
      'summary',
      'token_budget',
    ]);
    expect(working.decisions).toContain('Use token bucket with Redis backing');
    expect(working.open_tasks).toContain('Integration testing with auth system');
    expect(working.recent_messages.length).toBeLessThanOrEqual(20);
    expect(working.token_budget.used).toBeGreaterThan(0);
    expect(file('metadata')).toMatchObject({ session_id: idIn(ran), message_count: 50 });
    expect(readFileSync(path.join(out, 'current_session'), 'utf8')).toBe(idIn(ran));
  });
});
