import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openSession } from '../../src/session/index.ts';
import { createChatPlace, idIn } from './chat-place.ts';
import { CTRL_D, ENTER, HAS_TERMINAL, openTerminal } from './chat-terminal.ts';

interface Listed {
  readonly id: string;
  readonly parent: string | null;
  readonly relation: string | null;
  readonly messages: number;
}

describe.concurrent('a session that another process writes in, in a pipe', () => {
  it('is not opened, and the error names what can be done about it', async () => {
    using place = createChatPlace();
    const id = idIn(await place.talk(['The port is 8080.', 'exit']));
    await using store = await place.open();
    await using _held = await openSession(store, id, { owner: 'another terminal' });
    const ran = await place.talk(['x', 'exit'], { args: ['--continue', id] });
    expect(ran).toMatchObject({ code: 31, stdout: '' });
    expect(ran.stderr).toMatch(
      /is being written by another terminal \(process \d+ on \S+\)\. Say how to go on: --fork shares it, --read-only looks at it, --take-over takes it/,
    );
  });

  it('is waited for if it is about to be left, and kept from compaction if asked', async () => {
    using place = createChatPlace();
    const id = idIn(await place.talk(['The port is 8080.', 'exit']));
    await using store = await place.open();
    const held = await openSession(store, id, { owner: 'a server that lingers' });
    const talking = place.talk(['And now?', 'exit'], { args: ['--continue', id, '--preset', 'off'] });
    await setTimeout(1_500);
    await held.close();
    expect(await talking).toMatchObject({ code: 0 });
    expect((await store.session(id))!.state.settings.compaction).toBe('off');
  });

  it('can be looked at, and nothing is written', async () => {
    using place = createChatPlace();
    const id = idIn(await place.talk(['The port is 8080.', 'exit']));
    await using store = await place.open();
    await using _held = await openSession(store, id);
    const before = await place.show(id);
    const args = ['--continue', id, '--read-only'];
    const ran = await place.talk(
      ['context', 'search 8080', 'export', 'What now?', 'retry', 'compact', 'exit'],
      {
        args,
      },
    );
    expect(ran.stderr).toMatch(/Looking at "The port is 8080\.", .*, read-only\./);
    expect(ran.stdout).toContain('**You:** The port is 8080.');
    expect(ran.stdout).toContain('% of 200K');
    expect(
      ran.stderr.match(/The session is open read-only; "fork" goes on in one of your own\./g),
    ).toHaveLength(3);
    expect(ran.stderr).toContain('Your message was not kept.');
    expect(ran.code).toBe(2);
    expect(await place.show(id)).toEqual(before);
    expect(await place.sessions()).toHaveLength(1);
  });

  it('can be gone on with in a fork, from the start or after a look', async () => {
    using place = createChatPlace();
    const id = idIn(await place.talk(['The port is 8080.', 'exit']));
    await using store = await place.open();
    await using _held = await openSession(store, id);
    const forked = await place.talk(['A branch', 'exit'], { args: ['--continue', id, '--fork'] });
    expect(forked.stderr).toContain(`Forked from ${id}. You are in ${idIn(forked)} now.`);
    const looked = await place.talk(['fork', 'Another branch', 'exit'], {
      args: ['--continue', id, '--read-only'],
    });
    expect(looked.code).toBe(0);
    const sessions = await place.sessions<Listed>();
    expect(sessions.filter(({ parent, relation }) => parent === id && relation === 'fork')).toHaveLength(2);
    expect(sessions.find((session) => session.id === id)).toMatchObject({ messages: 2 });
  });

  it('can be taken over: the other one gets an error, and nothing of it is lost or mixed in', async () => {
    using place = createChatPlace();
    const id = idIn(await place.talk(['The port is 8080.', 'exit']));
    await using store = await place.open();
    const held = await openSession(store, id);
    const ran = await place.talk(['It is mine now.', 'exit'], { args: ['--take-over'] });
    expect(idIn(ran)).toBe(id);
    const body = { kind: 'message', role: 'user', parts: [{ type: 'text', text: 'Mine!' }] } as const;
    await expect(held.append([body])).rejects.toMatchObject({ code: 'lease-lost' });
    await held.close();
    expect(await place.sessions<Listed>()).toMatchObject([{ id, messages: 4 }]);
  });
});

describe.skipIf(!HAS_TERMINAL)('a session that another process writes in, at a terminal', () => {
  it('is offered: read-only, a fork, taking it over, or another session', async () => {
    using place = createChatPlace();
    const id = idIn(await place.talk(['The port is 8080.', 'exit']));
    await using first = openTerminal(place);
    await first.see('Continuing "The port is 8080."');
    await first.see('You: ');

    await using second = openTerminal(place);
    await second.see(
      /"The port is 8080\."[\s\S]* is being written by\s+Throughline\s+chat\s+\(process\s+\d+\s+on/,
    );
    await second.see('Which? (r/f/t/n)');
    second.type(`what?${ENTER}`);
    await second.see('Which? (r/f/t/n)');
    second.type(`t${ENTER}`);
    await second.see('Sure? (y/n)');
    second.type(`n${ENTER}`);
    await second.see('Which? (r/f/t/n)');
    second.type(`r${ENTER}`);
    await second.see('read-only.');
    await second.see('You: ');
    second.type(`Hello${ENTER}`);
    await second.see('Your message was not kept.');
    second.type(`fork${ENTER}`);
    await second.see('You are in');
    second.type(`exit${ENTER}`);
    await second.ended;

    await using third = openTerminal(place, ['chat', '--continue', id]);
    await third.see('Which?');
    third.type(`t${ENTER}`);
    await third.see('Sure? (y/n)');
    third.type(`y${ENTER}`);
    await third.see('You: ');
    third.type(`I am the third.${ENTER}`);
    await third.see('% of 200K');

    // Whoever had it before is told, keeps what was said elsewhere out, and can still leave.
    first.type(`Am I still here?${ENTER}`);
    await first.see(/was taken over by\s[\s\S]*Your\s+message\s+was\s+not\s+kept\./);
    await first.see('You: ');
    first.type(CTRL_D);
    expect(await first.ended).not.toBe(null);
    third.type(`exit${ENTER}`);
    await third.see('Queries: 2');
    await third.ended;

    await using fourth = openTerminal(place, ['chat', '--continue', id]);
    await fourth.see('Continuing "The port is 8080."');
  });
});
