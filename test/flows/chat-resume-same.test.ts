import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startWireServer } from '../support/wire-server.ts';
import { askedFor, obligingModel } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';

const query = (number: number, question: string) => `## Query ${number} (15:56:0${number})
**You:** ${question}

**Sally:** Noted.

---
`;

/** A transcript of a program that numbers its sessions, so that two folders have the same ones. */
const numbered = (...questions: readonly string[]) => `# Sally Conversation

**Session ID:** session_3
**Date:** 2026-01-05T15:56:03.320187
**Agent:** Sally
**Total Queries:** ${questions.length}

---

${questions.map((question, index) => query(index + 1, question)).join('\n')}`;

describe.concurrent('a resumed session', () => {
  it('is what the file says, and not another session that has its id', async () => {
    using place = createChatPlace();
    const [a, b] = ['a.md', 'b.md'].map((name) => path.join(place.folder, name)) as [string, string];
    writeFileSync(a, numbered('We decided to use Redis for the limiter.'));
    writeFileSync(b, numbered('We decided to use Postgres for the queue.'));
    for (const _ of [1, 2]) {
      const first = await place.talk(['exit'], { args: ['--resume', a] });
      expect(first.stdout).toContain('Redis');
      expect(first.stdout).not.toContain('Postgres');
      const second = await place.talk(['exit'], { args: ['--resume', b] });
      expect(second.stdout).toContain('Postgres');
      expect(second.stdout).not.toContain('Redis');
    }
    // Two imports, four that were resumed from them.
    expect(await place.sessions()).toHaveLength(6);
  });

  it('is all of a file that has grown', async () => {
    using place = createChatPlace();
    const file = path.join(place.folder, 'a.md');
    writeFileSync(file, numbered('We decided to use Redis for the limiter.'));
    await place.talk(['exit'], { args: ['--resume', file] });
    writeFileSync(
      file,
      numbered('We decided to use Redis for the limiter.', 'We decided to use Postgres for the queue.'),
    );
    const again = await place.talk(['exit'], { args: ['--resume', file] });
    expect(again.stderr).toContain('(2 queries');
    expect(again.stdout).toContain('Postgres');
    expect(again.stdout).toContain('Redis');
  });

  it('is the session, if the file is the mirror of one that was imported', async () => {
    using place = createChatPlace();
    const file = path.join(place.folder, 'a.md');
    writeFileSync(file, numbered('We decided to use Redis for the limiter.'));
    await place.talk(['exit'], { args: ['--resume', file] });
    const ran = await place.talk(['exit'], { args: ['--resume', place.mirrorFile('session_3')] });
    expect(ran.stdout).toContain('Redis');
    expect(await place.sessions()).toMatchObject([
      { parent: 'session_3' },
      { parent: 'session_3' },
      { id: 'session_3' },
    ]);
  });
});

describe.concurrent('who answers after resume', () => {
  it('is the model that the session remembers, before the one that a key picks', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    await place.talk(['Hello', 'exit'], { args: ['--model', 'offline:quotes'] });
    const ran = await place.talk(['Go on', 'exit'], { env: server.env, args: ['--resume', '1'] });
    expect(ran.stderr).toContain('Model: offline:quotes (remembered with the session)');
    expect(server.requests).toEqual([]);
  });

  it('is the model of the chat, in a session that names none', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const { THROUGHLINE_MODEL: model, ...env } = server.env;
    const plain = await place.talk(['Hello', 'exit']);
    await place.talk(['Hi', 'exit'], { env, args: ['--new', '--model', model!] });
    const ran = await place.talk([`resume ${idIn(plain)}`, 'Go on', 'exit'], { args: ['--continue'], env });
    expect(ran.stderr).not.toContain('offline');
    expect(ran.stdout).toContain('Answer');
    const again = await place.talk(['And now?', 'exit'], { env });
    expect(again.stderr).toContain(`Model: ${model} (remembered with the session)`);
  });

  it(`is the agent's model before that, and the one asked for before both`, async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    writeFileSync(
      path.join(place.folder, 'sally.mjs'),
      `export const name = 'Sally'; export const instructions = ''; export const model = 'offline:quotes';`,
    );
    const first = await place.talk(['Hello', 'exit'], { env: server.env, args: ['--agent', 'sally.mjs'] });
    const ran = await place.talk(['Go on', 'exit'], { env: server.env, args: ['--resume', idIn(first)] });
    expect(ran.stderr).toContain(`Model: offline:quotes (the agent's)`);
    expect(server.requests).toEqual([]);
    await place.talk(['Go on', 'exit'], {
      env: server.env,
      args: ['--resume', idIn(first), '--model', 'anthropic:claude-sonnet-4-5'],
    });
    expect(server.requests.map(askedFor)).toContain('answer');
  });
});

describe.concurrent('without a model', () => {
  it.each(['y', '👍'])(
    'a session that was resumed and heard only "%s" is left with a summary',
    async (word) => {
      using place = createChatPlace();
      await place.talk(['We decided to use Redis for the limiter.', 'exit']);
      const ran = await place.talk([word, 'exit'], { args: ['--resume', '1'] });
      expect(ran.stderr).toContain('Generating session summary... ✓');
      const again = await place.talk(['exit'], { args: ['--resume', idIn(ran)] });
      expect(again.stderr).not.toContain('left without a summary');
      // What came before is still its background.
      expect(place.mirror(idIn(ran))).toMatch(/Background Context:\*\* .*Redis/);
    },
  );

  it('compact --here names a command of the chat that takes it back', async () => {
    using place = createChatPlace();
    const said = Array.from({ length: 6 }, (_, i) => `Fact ${i} is ${'long '.repeat(40)}`);
    const ran = await place.talk([...said, 'compact --here', 'exit']);
    const [, undo] = /^Undo: (.*)$/m.exec(ran.stdout)!;
    expect(undo).toMatch(/^\/expand \S+$/);
    const undone = await place.talk([undo!, 'exit']);
    expect(undone.stdout).toContain('Compaction 1 is expanded');
  });
});
