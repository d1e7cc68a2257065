import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSession, labelSession, openSession } from '../../src/session/index.ts';
import { held, reply } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { askedFor, obligingModel } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly messages: number;
}

describe.concurrent('a chat goes on', () => {
  it('with the last session of the project, says which, and has every word of it', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const first = await place.talk(['The port is 8080', 'exit'], { env: server.env });
    const ran = await place.talk(['Which port?', 'exit'], { env: server.env });
    expect(ran.stderr).toMatch(/Continuing "The port is 8080", just now, 2 messages \(\S+\)/);
    expect(ran.stderr).toContain(idIn(first));
    expect(await place.sessions<Listed>()).toMatchObject([{ id: idIn(first), messages: 4 }]);
    // Leaving wrote a summary, and still the model sees what was said and not the summary.
    const last = server.requests.filter((request) => askedFor(request) === 'answer').at(-1)!;
    expect(JSON.stringify(last.body.messages)).toContain('The port is 8080');
    expect(JSON.stringify(last.body.messages)).toContain('Answer 1.');
    expect(JSON.stringify(last.body.messages)).not.toContain('token bucket');
  });

  it('and starts another with --new', async () => {
    using place = createChatPlace();
    await place.talk(['The first one', 'exit']);
    const ran = await place.talk(['The second one', 'exit'], { args: ['--new'] });
    expect(ran.stderr).toContain('Started a new session.');
    expect(await place.sessions()).toHaveLength(2);
    const again = await place.talk(['exit']);
    expect(again.stderr).toContain('Continuing "The second one"');
  });

  it('and says nothing of a new session if the model cannot be had', async () => {
    using place = createChatPlace();
    const ran = await place.talk(['Hello', 'exit'], { args: ['--new', '--model', 'nothing:of-the-kind'] });
    expect(ran.stderr).toContain('No provider is known');
    expect(ran.stderr).not.toContain('Started a new session.');
    expect(await place.sessions()).toEqual([]);
  });

  it('in the session that is named', async () => {
    using place = createChatPlace();
    const first = await place.talk(['The first one', 'exit']);
    await place.talk(['The second one', 'exit'], { args: ['--new'] });
    const ran = await place.talk(['More', 'exit'], { args: ['--continue', idIn(first)] });
    expect(ran.stderr).toContain('Continuing "The first one"');
    expect(idIn(ran)).toBe(idIn(first));
  });

  it('in this project, and says what it skipped', async () => {
    using place = createChatPlace();
    const other = path.join(path.dirname(place.folder), 'other');
    mkdirSync(other);
    await place.talk(['About this project', 'exit']);
    await place.talk(['About the other project', 'exit'], { folder: other });
    const ran = await place.talk(['exit']);
    expect(ran.stderr).toContain('Continuing "About this project"');
    expect(ran.stderr).toMatch(/Skipped, newer but of other projects: "About the other project", just now/);
  });

  it('without a session that another process writes in', async () => {
    using place = createChatPlace();
    const first = await place.talk(['Held by another terminal', 'exit']);
    await using store = await place.open();
    await using _held = await openSession(store, idIn(first));
    const ran = await place.talk(['Something new', 'exit']);
    expect(ran.stderr).toMatch(/Skipped "Held by another terminal".*another program is writing in it/);
    expect(idIn(ran)).not.toBe(idIn(first));
    expect(await place.talk(['x', 'exit'], { args: ['--continue', idIn(first)] })).toMatchObject({
      code: 31,
    });
  });

  it('names the provider that a key in the environment picks', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('openai-chat', obligingModel());
    const { THROUGHLINE_MODEL: _, ...env } = server.env;
    const ran = await place.talk(['Hello', 'exit'], { env });
    expect(ran.stderr).toMatch(/Model: \S+:wire-model \(picked by \w+\)/);
    expect(ran.stdout).toBe('Answer 1.\n');
  });

  it.each([[], ['--model', 'compatible:first']])(
    'with the model that another program sets the session to while the chat is open: %s',
    async (...args) => {
      using place = createChatPlace();
      await using store = await place.open();
      const settings = { model: 'compatible:first' };
      await (await createSession(store, { id: 'open', project: place.folder, settings })).close();
      const change = async () =>
        labelSession(store, (await store.session('open'))!, { settings: { model: 'compatible:second' } });
      let asked = 0;
      await using server = await startWireServer('openai-chat', ({ streaming }) =>
        streaming && ++asked === 1 ? held(reply('One.'), change()) : reply('Two.'),
      );
      const ran = await place.talk(['Hello', 'And now?', 'exit'], {
        env: server.env,
        args: ['--continue', 'open', ...args],
      });
      const models = server.requests.filter(({ streaming }) => streaming).map(({ body }) => body.model);
      expect(models).toEqual(['first', 'second']);
      expect(ran.stderr).toContain('Model: compatible:second (remembered with the session)');
      expect((await store.session('open'))!.state.settings.model).toBe('compatible:second');
    },
  );

  it('with the model that was named, also the next time', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', obligingModel());
    const { THROUGHLINE_MODEL: model, ...env } = server.env;
    await place.talk(['Hello', 'exit'], { env, args: ['--model', model!] });
    const again = await place.talk(['And again', 'exit'], { env });
    expect(again.stderr).toContain(`Model: ${model} (remembered with the session)`);
    const without = await place.talk(['And now?', 'exit']);
    expect(without.stderr).toMatch(/⚠ anthropic:\S+ cannot be used: /);
    expect(without.stderr).toContain('Model: offline:quotes');
    expect(without.code).toBe(0);
  });
});

describe.concurrent('a chat keeps the context under its budget', () => {
  it('automatically: old messages become a summary, and the log keeps every word', async () => {
    using place = createChatPlace();
    const said = Array.from(
      { length: 30 },
      (_, i) => `Step ${i}: ${'we moved the parser to src/parse.ts '.repeat(40)}`,
    );
    const ran = await place.talk([...said, 'exit'], { args: ['--preset', 'army'] });
    expect(ran.code).toBe(0);
    const { entries } = await place.show<{ kind: string }>(idIn(ran));
    expect(entries.filter(({ kind }) => kind === 'compaction').length).toBeGreaterThan(0);
    expect(entries.filter(({ kind }) => kind === 'message')).toHaveLength(60);
    // 20 messages stay, and the newest question with its recall comes on top.
    const { tokens } = await place.json<{ tokens: number }>('context', idIn(ran));
    expect(tokens).toBeLessThan(18_000);
  });

  it('warns at 80, 90 and 95 percent of the window, once at each', async () => {
    using place = createChatPlace();
    const said = Array.from({ length: 40 }, (_, i) => `Note ${i}: ${'something to remember '.repeat(20)}`);
    const ran = await place.talk([...said, 'exit'], { args: ['--preset', 'checkpoint', '--window', '6000'] });
    for (const mark of [/Context 8\d % full/, /Context 9[0-4] % full/, /Context (?:9[5-9]|100) % full/])
      expect(ran.stderr).toMatch(mark);
    expect(ran.stderr.match(/Context \d+ % full/g)!.length).toBeLessThanOrEqual(3);
  });
});

describe.concurrent('a chat without a key', () => {
  it('answers from the sessions of the project, and from what the project knows', async () => {
    using place = createChatPlace();
    await place.talk(['The staging password rotates every Tuesday.', 'exit']);
    await place.run(['memory', 'add', 'The staging server is called heron.']);
    const questions = ['When does the staging password rotate?', 'What is the staging server called?'];
    const ran = await place.talk([...questions, 'exit'], { args: ['--new'] });
    expect(ran.stdout).toContain('offline: no model is connected');
    expect(ran.stdout).toContain('The staging password rotates every Tuesday.');
    expect(ran.stdout).toMatch(
      /the project's memory says about it:\n\n- fact: The staging server is called heron\./,
    );
    expect(ran.stdout).toContain('ANTHROPIC_API_KEY');
  });

  it('says where its quotes come from, and quotes nothing where nothing fits', async () => {
    using place = createChatPlace();
    const said = ['We use Postgres 16 for the orders.', 'Who owns billing?', 'Lunch is at noon.', 'hello'];
    await place.talk([...said, 'exit']);
    const ran = await place.talk(['hello', 'Which database do we use?', 'exit'], { args: ['--new'] });
    expect(ran.stdout.match(/^- .*/gm)).toEqual([
      expect.stringMatching(/^- you, in \S+: We use Postgres 16 for the orders\.$/),
    ]);
    expect(ran.stdout).toContain('Here is what other sessions of this project say about it:');
    expect(ran.stdout).not.toContain('Here is what this session says');
    expect(ran.stdout).not.toContain('--model');
    const here = await place.talk([
      'The orders live in Postgres 17 now.',
      'Where do the orders live?',
      'exit',
    ]);
    expect(here.stdout).toContain(
      'Here is what this session says about your question:\n\n- you: The orders live in Postgres 17 now.',
    );
  });

  it('has every command, and takes a word in a sentence for a message', async () => {
    using place = createChatPlace();
    const ran = await place.talk([
      'The port is 8080.',
      'help me with it',
      'title "Ports"',
      'tag network',
      'pin last',
      'search port',
      'checkpoint',
      'context',
      'sessions',
      'export',
      'fork',
      'A branch of it',
      'cost',
      '/nonsense',
      'help',
      'exit',
    ]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Ports');
    expect(ran.stdout).toContain('[network]');
    expect(ran.stdout).toMatch(/pinned: entries \d+–\d+/);
    expect(ran.stdout).toContain('# Assistant Conversation');
    expect(ran.stdout).toContain('% of 200K');
    expect(ran.stderr).toContain('Forked from');
    expect(ran.stderr).toContain('There is no command /nonsense');
    const [fork, parent] = await place.sessions<Listed>();
    expect(fork).toMatchObject({ relation: 'fork', parent: parent!.id, messages: 6 });
    expect(parent).toMatchObject({ title: 'Ports', messages: 4 });
  });
});
