import { describe, expect, it } from 'vitest';
import { reply, trickle } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { obligingModel } from './chat-model.ts';
import { createChatPlace } from './chat-place.ts';
import { CTRL_C, CTRL_D, CTRL_Z, ENTER, HAS_TERMINAL, openTerminal } from './chat-terminal.ts';

const story = reply('A story that is told slowly, so that somebody can stop the program in the middle.');

/** A shell with job control: it goes on when the program is stopped, and brings it back. */
const withJobs = (between: string) => (program: string) =>
  `set -m; ${program}; echo "<stopped>"; stty -a | grep -o " icanon"; ${between} fg >/dev/null; echo "<left>"`;

describe.skipIf(!HAS_TERMINAL)('a chat that is stopped and brought back', () => {
  it('goes on with the typed line, in the same session', async () => {
    using place = createChatPlace();
    await using terminal = openTerminal(place, [], {}, withJobs(''));
    await terminal.see('You: ');
    terminal.type('The port ');
    await terminal.see('The port ');
    terminal.type(CTRL_Z);
    await terminal.see('<stopped>');
    // The shell has a terminal that it can use.
    await terminal.see(' icanon');
    await terminal.see('You: The port ');
    terminal.type(`is 8080${ENTER}`);
    await terminal.see('no model is connected');
    await terminal.see('You: ');
    terminal.type(CTRL_D);
    await terminal.see('Conversation saved');
    await terminal.see('<left>');
    expect(await place.sessions()).toMatchObject([{ title: 'The port is 8080' }]);
  });

  it('in the middle of an answer hears every key again', async () => {
    using place = createChatPlace();
    const script = obligingModel({ answer: () => trickle(story, 150) });
    await using server = await startWireServer('anthropic', script);
    await using terminal = openTerminal(place, [], server.env, withJobs(''));
    await terminal.see('You: ');
    terminal.type(`Tell me a story${ENTER}`);
    await terminal.see('A story');
    terminal.type(CTRL_Z);
    await terminal.see('<stopped>');
    await terminal.see('told');
    terminal.type(CTRL_C);
    await terminal.see('(stopped; what was there is kept');
    await terminal.see('You: ');
  });

  it('by another process is there again too', async () => {
    using place = createChatPlace();
    await using terminal = openTerminal(place, [], {}, (program) => `stty -echo; exec ${program}`);
    await terminal.see('You: ');
    const pid = await terminal.pid();
    process.kill(pid, 'SIGSTOP');
    process.kill(pid, 'SIGCONT');
    await terminal.see('You: ');
    terminal.type(`Hello${ENTER}`);
    await terminal.see('no model is connected');
  });

  it('stays where it is if no shell could bring it back', async () => {
    using place = createChatPlace();
    await using terminal = openTerminal(place);
    await terminal.see('You: ');
    terminal.type(`${CTRL_Z}Hello${ENTER}`);
    await terminal.see('no model is connected');
  });
});
