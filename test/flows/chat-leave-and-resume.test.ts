import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSpending } from '../../src/agent/index.ts';
import { createSession } from '../../src/session/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { hang, reply, unauthorized } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { ACKNOWLEDGED, askedFor, obligingModel } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';

const PLAN = 'Let us plan a rate limiter: strategies, and a token bucket with Redis backing';
const START = '<!-- SESSION_SUMMARY_START -->';
const END = '<!-- SESSION_SUMMARY_END -->';

describe.concurrent('leaving a chat', () => {
  it('writes a structured summary with its markers, and reports it', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const ran = await place.talk([PLAN, 'And its integration testing with the auth system', 'exit'], {
      env: server.env,
    });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe('Answer 1.\nAnswer 2.\n');
    expect(ran.stderr).toMatch(
      /📝 Generating session summary\.\.\. ✓\nGoodbye!\n✓ Conversation saved successfully!/,
    );
    expect(ran.stderr).toContain('  Queries: 2\n');
    // Two answers of 110 tokens, and the summary, which is a line of its own in "cost".
    expect(ran.stderr).toContain('  Tokens: 580\n');
    const text = place.mirror(idIn(ran));
    const block = text.slice(text.indexOf(START), text.indexOf(END));
    expect(block.split('\n')).toEqual([
      START,
      '**Background Context:** Initial session.',
      '',
      '**Current Session Summary:**',
      '**Topics Discussed:**',
      '- Rate limiter implementation strategies',
      '',
      '**Decisions Made:**',
      '- Use token bucket with Redis backing',
      '',
      '**Pending:**',
      '- Integration testing with auth system',
      '',
      // What the model left out.
      '**Goal:**',
      `- ${PLAN}`,
      '',
    ]);
    expect(text).toContain('**Total Queries:** 2');
    expect(statSync(place.mirrorFile(idIn(ran))).mode & 0o777).toBe(0o600);
  });

  it('says that a resumed session in which nothing was said is gone on with', async () => {
    using place = createChatPlace();
    const first = await place.talk(['Let us plan a rate limiter', 'exit']);
    const resumed = await place.talk(['exit'], { args: ['--resume', idIn(first)] });
    const id = /Nothing was said in (\S+) yet; the next chat here goes on in it\./.exec(resumed.stderr)?.[1];
    expect(id).toBeDefined();
    const next = await place.talk(['And now?', 'exit']);
    expect(next.stderr).toContain(`(${id})`);
    expect(next.stderr).not.toContain('Nothing was said');
  });

  it('asks another model for it if one is named, or none', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const asked = () => {
      const summaries = server.requests.filter((request) => askedFor(request) === 'summary');
      return summaries.map(({ body }) => (body as { model: string }).model);
    };
    const named = ['--summary-model', 'anthropic:claude-haiku-4-5'];
    await place.talk(['Hello', 'exit'], { env: server.env, args: named });
    expect(asked()).toEqual(['claude-haiku-4-5']);
    const env = { ...server.env, THROUGHLINE_SUMMARY_MODEL: 'digest' };
    const ran = await place.talk(['Are you there?', 'exit'], { env });
    expect(ran.stderr).toContain('Generating session summary... ✓');
    expect(asked()).toHaveLength(1);
    const wrong = await place.talk(['exit'], { env: server.env, args: ['--summary-model', 'nobody:x'] });
    expect([wrong.code, wrong.stderr]).toEqual([60, expect.stringContaining('nobody:x')]);
  });

  it('does not put the request for a summary into the conversation', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const { stderr, stdout } = await place.talk(['Hello', 'exit'], { env: server.env });
    await place.talk(['Are you there?', 'exit'], { env: server.env });
    const answers = server.requests.filter((request) => askedFor(request) === 'answer');
    expect(JSON.stringify(answers.at(-1)!.body)).not.toContain('Write the record');
    // More was said after the first summary, so it does not hold any more.
    expect(server.requests.filter((request) => askedFor(request) === 'summary')).toHaveLength(2);
    const { entries } = await place.show<{ kind: string }>(idIn({ stderr, stdout }));
    expect(entries.filter(({ kind }) => kind === 'message')).toHaveLength(4);
  });

  it('tries once more when the summary fails', async () => {
    using place = createChatPlace();
    const script = obligingModel({
      summary: (_, index) =>
        index === 0 ? reply('') : reply(`${START}\n**Topics Discussed:**\n- limits\n${END}`),
    });
    await using server = await startWireServer('anthropic', script);
    const ran = await place.talk(['Hello', 'exit'], { env: server.env });
    expect(ran.stderr).toContain('Generating session summary... ✓');
    expect(place.mirror(idIn(ran))).toContain('- limits');
  });

  it('bills the calls for a summary that was refused, and says what they took', async () => {
    using place = createChatPlace();
    const script = obligingModel({ summary: () => reply('') });
    await using server = await startWireServer('anthropic', script);
    const ran = await place.talk(['We decided to use Redis for the limiter.', 'exit'], { env: server.env });
    const { stdout } = await place.talk(['cost', 'exit'], { env: server.env, args: ['--continue'] });
    expect(stdout).toMatch(/answers .*\(1 call\)\n {2}compactions .*\(1 summary\)\n/);
    const [, said] = /The calls took ([\d,]+) tokens\./.exec(ran.stderr) ?? [];
    expect(Number(said?.replaceAll(',', ''))).toBeGreaterThan(0);
    await using store = await place.open();
    const { compactions } = await readSpending(store, (await store.session(idIn(ran)))!);
    expect(compactions.calls).toBeGreaterThan(0);
    expect(compactions.tokens).toBe(Number(said?.replaceAll(',', '')));
  });

  it.each([
    ['fails', () => unauthorized(), []],
    ['hangs', () => hang(), ['--timeout', '4']],
  ])(
    'saves without a summary when the model %s, and the session can still be resumed',
    async (_, step, args) => {
      using place = createChatPlace();
      await using server = await startWireServer('anthropic', obligingModel({ summary: step }));
      const ran = await place.talk(['We decided to use Redis for the limiter.', 'exit'], {
        env: server.env,
        args,
      });
      expect(ran.code).toBe(0);
      expect(ran.stderr).toMatch(
        /Generating session summary\.\.\. ✗\n⚠ Summary generation failed - session saved without a summary: .+\. It can still be resumed; a digest is made then\./,
      );
      const id = idIn(ran);
      expect(place.mirror(id)).toContain('**You:** We decided to use Redis');
      expect(place.mirror(id)).not.toContain(START);
      const resumed = await place.talk(['Go on', 'exit'], { args: ['--resume', id] });
      expect(resumed.stdout).toContain('Redis');
      expect(await place.sessions()).toMatchObject([{ parent: id, relation: 'resume' }, { id }]);
    },
  );

  it('without a model lists the questions, as the topics', async () => {
    using place = createChatPlace();
    const said = [
      'We use Postgres 16 for the orders.',
      'The invoices are sent at night.',
      'Which database do we use?',
    ];
    const text = place.mirror(idIn(await place.talk([...said, 'exit'])));
    expect(text).toContain(`**Topics Discussed:**\n${said.map((line) => `- ${line}`).join('\n')}\n\n`);
  });

  it('writes nothing when nothing was said', async () => {
    using place = createChatPlace();
    const first = await place.talk(['exit']);
    expect(first.stderr).toContain('Goodbye!');
    expect(await place.sessions()).toEqual([]);
    await place.talk(['Hello', 'exit']);
    const before = await place.sessions();
    await place.talk([], {});
    await place.talk(['', '   ', 'context', 'exit']);
    expect(await place.sessions()).toEqual(before);
  });

  it('leaves a session alone that was only looked at, with a summary or without', async () => {
    using place = createChatPlace();
    {
      await using store = await place.open();
      await using session = await createSession(store, { id: 'never-left', project: place.folder });
      await session.append([user('Was I ever answered?'), assistant('You were.')]);
    }
    const before = await place.show('never-left');
    const ran = await place.talk(['sessions', 'exit']);
    expect(ran.stderr).toContain('Continuing "Was I ever answered?"');
    expect(await place.show('never-left')).toEqual(before);
  });

  it('summarises progressively: the session before becomes the background', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    await place.talk(['Plan the limiter', 'exit'], { env: server.env });
    await place.talk(['Build it', 'exit'], { env: server.env, args: ['--resume', '1'] });
    const summaries = server.requests.filter((request) => askedFor(request) === 'summary');
    expect(JSON.stringify(summaries[1]!.body)).toContain('What came before this transcript');
    expect(JSON.stringify(summaries[1]!.body)).toContain('Use token bucket with Redis backing');
    const [, transcript = ''] = JSON.stringify(summaries[1]!.body).split('<transcript>');
    expect(transcript).toContain('Build it');
    expect(transcript).not.toContain('Plan the limiter');
  });
});

describe.concurrent('compact', () => {
  it('closes the session and goes on in a new one that the agent acknowledges', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const ran = await place.talk(['Plan the limiter', 'compact', 'Build it', 'cost', 'exit'], {
      env: server.env,
    });
    expect(ran.stdout).toContain(`Answer 1.\n${ACKNOWLEDGED}\nAnswer 2.\n`);
    expect(ran.stderr).toMatch(
      /💾 Saved session: \S+ \(1 query, \d+ tokens\)\n🔄 Starting new session with summary/,
    );
    const [child, parent] = await place.sessions<{ id: string; parent: string; queries: number }>();
    expect(child).toMatchObject({ parent: parent!.id, relation: 'resume', queries: 1 });
    // The acknowledgement is counted, and is no query.
    expect(ran.stderr).toContain('Restoration: 156 tokens (in: 89, out: 67)');
    expect(ran.stderr).toContain('Session Tokens: 470');
    expect(ran.stderr).toContain('Combined Total: 626');
    const text = place.mirror(child!.id);
    expect(text).toContain(`**Context:** Resumed from ${parent!.id} (1 query,`);
    expect(text).toContain(`**Previous Session:** ${place.mirrorFile(parent!.id)}`);
    expect(text).toContain('*Time: ');
    expect(text).toMatch(/\| Tokens: 156 \(in: 89, out: 67\)\*/);
    expect(text).toContain('**Total Queries:** 1');
  });

  it('works after 1, 5 and 20 questions, and the new session sees the summary only', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const questions = (count: number) => Array.from({ length: count }, (_, i) => `Question number ${i + 1}`);
    const lines = [1, 5, 20].flatMap((count) => [...questions(count), 'compact', 'What now?']);
    await place.talk([...lines, 'exit'], { env: server.env });
    const after = server.requests.filter(
      (request) =>
        askedFor(request) === 'answer' && JSON.stringify(request.body.messages.at(-1)).includes('What now?'),
    );
    expect(after).toHaveLength(3);
    for (const { body } of after) {
      expect(JSON.stringify(body.messages)).toContain('Use token bucket with Redis backing');
      expect(body.messages.length).toBeLessThan(5);
    }
  });

  it('can be done again and again, each from the one before and no deeper', async () => {
    using place = createChatPlace();
    const script = obligingModel({
      summary: (_, index) =>
        reply(`${START}\n**Topics Discussed:**\n- topic ${index + 1}\n${END}`, {
          usage: { input: 9, output: 9 },
        }),
    });
    await using server = await startWireServer('anthropic', script);
    await place.talk(['a b', 'compact', 'c d', 'compact', 'e f', 'exit'], { env: server.env });
    const acknowledgements = server.requests.filter((request) => askedFor(request) === 'acknowledgement');
    expect(acknowledgements).toHaveLength(2);
    expect(JSON.stringify(acknowledgements[1]!.body)).toContain('topic 2');
    expect(JSON.stringify(acknowledgements[1]!.body)).not.toContain('topic 1');
    const answers = server.requests.filter((request) => askedFor(request) === 'answer');
    expect(JSON.stringify(answers.at(-1)!.body)).toContain('topic 2');
    expect(await place.sessions()).toHaveLength(3);
  });

  it('--here shortens the session and stays in it', async () => {
    using place = createChatPlace();
    const said = Array.from({ length: 6 }, (_, i) => `Fact ${i} is ${'long '.repeat(40)}`);
    const ran = await place.talk([...said, 'compact --here', 'expand', 'exit']);
    expect(ran.stderr).toContain('Shortening this session... ✓');
    expect(await place.sessions()).toHaveLength(1);
  });
});
