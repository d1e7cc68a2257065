import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, reply, stall, trickle } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { obligingModel } from './chat-model.ts';
import { createChatPlace } from './chat-place.ts';
import { BACKSPACE, CTRL_C, CTRL_D, ENTER, HAS_TERMINAL, openTerminal, paste, UP } from './chat-terminal.ts';

const STORY = 'A story that is told slowly, word by word, so that somebody can talk into the middle of it.';
const story = reply(STORY);

describe.skipIf(!HAS_TERMINAL)('a chat in a terminal', () => {
  it('starts without a command, without a key, and answers from the messages', async () => {
    using place = createChatPlace();
    await using terminal = openTerminal(place);
    await terminal.see('Started a new session.');
    await terminal.see('Model: offline:quotes');
    await terminal.see('You: ');
    terminal.type(`The rate limiter is in src/limit.ts.${ENTER}`);
    await terminal.see('no model is connected');
    await terminal.see(/offline:quotes · \S+ [\d.]+ % of 200K · \$0\.00/);
    terminal.type(`Where is the rate limiter?${ENTER}`);
    await terminal.see('• you: The rate limiter is in src/limit.ts.');
    await terminal.see('You: ');
    terminal.type(`exit${ENTER}`);
    await terminal.see('Generating session summary... ✓');
    await terminal.see('Conversation saved successfully!');
    await terminal.see('Queries: 2');
    expect(await terminal.ended).toBe(0);
  });

  it('shows the last exchange, open points and the cost when it goes on, and no status behind a command', async () => {
    using place = createChatPlace();
    await place.talk(['The limiter is in src/limit.ts.', 'Todo: write the tests of the limiter', 'exit']);
    await using terminal = openTerminal(place);
    await terminal.see('Continuing "The limiter is in src/limit.ts.');
    await terminal.see('You: Todo: write the tests of the limiter');
    await terminal.see('Assistant: (offline)');
    await terminal.see('Open:');
    await terminal.see('rite the tests of the limiter');
    await terminal.see('So far: 2 queries, ');
    await terminal.see('You: ');
    terminal.type(`Where is it?${ENTER}`);
    await terminal.see('% of 200K');
    await terminal.see('You: ');
    terminal.type(`title${ENTER}`);
    await terminal.see('You: ');
    expect(terminal.text.split('% of 200K')).toHaveLength(2);
  });

  it('paints markdown as it comes', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', [
      trickle(reply('# Title\n\nSome **bold** and `code`.\n\n- one\n- two\n')),
    ]);
    await using terminal = openTerminal(place, [], server.env);
    await terminal.see('picked by THROUGHLINE_MODEL');
    await terminal.see('You: ');
    terminal.type(`Go${ENTER}`);
    await terminal.see('Some bold and code.');
    await terminal.see('• two');
    expect(terminal.raw).toContain('\x1b[1mbold\x1b[22m');
    expect(terminal.raw).not.toContain('**');
  });

  it('sends a paste of many lines as one message, and lines that end with a backslash', async () => {
    using place = createChatPlace();
    await using terminal = openTerminal(place);
    await terminal.see('You: ');
    terminal.type(`Look: ${paste('first\rsecond\rthird')} ok${ENTER}`);
    await terminal.see('[Pasted #1: 3 lines]');
    await terminal.see('% of 200K');
    await terminal.see('You: ');
    terminal.type(`one\\${ENTER}`);
    await terminal.see('... ');
    terminal.type(`two${ENTER}`);
    await terminal.see('% of 200K');
    await terminal.see('You: ');
    // What was said comes back whole, and can be changed and sent again.
    terminal.type(UP);
    await terminal.see('one⏎two');
    terminal.type(`, three${ENTER}`);
    await terminal.see('% of 200K');
    await terminal.see('You: ');
    terminal.type(UP + UP + UP);
    await terminal.see('Look: [Pasted #1: 3 lines] ok');
    terminal.type(`${CTRL_C}${CTRL_D}`);
    await terminal.see('Queries: 3');
    await terminal.ended;
    await using later = openTerminal(place);
    await later.see('You: ');
    later.type(UP);
    await later.see('one⏎two, three');
    later.type(`${UP + UP}${ENTER}`);
    await later.see('% of 200K');
    later.type(CTRL_D);
    await later.ended;
    await using store = await place.open();
    const [session] = (await store.list({ limit: 1 })).sessions;
    const said = (await store.read(session!.id, { only: 'messages' })).flatMap(({ body }) =>
      body.kind === 'message' && body.role === 'user' ? [body.parts[0]!.text] : [],
    );
    const look = 'Look: first\nsecond\nthird ok';
    expect(said).toEqual([look, 'one\ntwo', 'one\ntwo, three', look]);
  });

  it('stops the answer with Ctrl-C and not the program, and leaves with a second one', async () => {
    using place = createChatPlace();
    await using server = await startWireServer('anthropic', [
      stall(reply('A long story that never comes to its end because nobody tells it.')),
      reply('A short one.'),
    ]);
    await using terminal = openTerminal(place, [], server.env);
    await terminal.see('You: ');
    terminal.type(`Tell me${ENTER}`);
    await terminal.see('A long');
    terminal.type(CTRL_C);
    await terminal.see('(stopped;');
    await terminal.see('You: ');
    terminal.type(`Shorter${ENTER}`);
    await terminal.see('A short one.');
    await terminal.see('You: ');
    terminal.type(CTRL_C);
    await terminal.see('(Ctrl-C again leaves)');
    terminal.type(CTRL_C);
    await terminal.see('Session ID');
    expect(await terminal.ended).toBe(0);
  });
});

describe.skipIf(!HAS_TERMINAL)('a person at a terminal', () => {
  it('may go on typing: messages during an answer are stored at once and come next', async () => {
    using place = createChatPlace();
    const script = obligingModel({
      answer: (_, index) => (index === 0 ? trickle(story, 100) : reply('Second answer.')),
    });
    await using server = await startWireServer('anthropic', script);
    await using terminal = openTerminal(place, [], server.env);
    await terminal.see('You: ');
    terminal.type(`Tell me a story${ENTER}`);
    await terminal.see('A story');
    terminal.type('And anot');
    await terminal.see('You: And anot');
    terminal.type(`her${ENTER}`);
    // What is typed is seen, and nothing is written into it.
    expect(await terminal.see('her')).toBe('her');
    await terminal.see('(kept; it comes next)');
    await using store = await place.open();
    const [session] = (await store.list({ limit: 1 })).sessions;
    expect(session!.state.settings.waiting).toHaveLength(1);
    await terminal.see('Second answer.');
    for (const word of STORY.split(' ')) expect(terminal.text).toContain(word);
    terminal.type(`exit${ENTER}`);
    await terminal.see('Queries: 2');
  });

  it('may take back a line, or finish it when the answer is over', async () => {
    using place = createChatPlace();
    const script = obligingModel({
      answer: (_, index) => (index === 0 ? trickle(story, 100) : reply('Second answer.')),
    });
    await using server = await startWireServer('anthropic', script);
    await using terminal = openTerminal(place, [], server.env);
    await terminal.see('You: ');
    terminal.type(`Tell me a story${ENTER}`);
    await terminal.see('A story');
    terminal.type('hm');
    await terminal.see('You: hm');
    terminal.type(`${BACKSPACE}${BACKSPACE}`);
    await terminal.see(/word by\s+word/);
    terminal.type('And th');
    await terminal.see('You: And th');
    // The rest of the story comes when it is over, and the line is there again behind it.
    await terminal.see('middle');
    await terminal.see('You: And th');
    terminal.type(`en?${ENTER}`);
    await terminal.see('Second answer.');
    const { entries } = await place.show<{ role?: string; parts: { text: string }[] }>(
      (await place.sessions())[0]!.id,
    );
    expect(entries.flatMap(({ role, parts }) => (role === 'user' ? [parts[0]!.text] : []))).toEqual([
      'Tell me a story',
      'And then?',
    ]);
  });

  it('is asked before a tool runs that needs it, and sees what tools do', async () => {
    using place = createChatPlace();
    writeFileSync(
      path.join(place.folder, 'agent.mjs'),
      `export const name = 'Smith';
       export const instructions = 'You forge.';
       const inputSchema = { type: 'object', properties: { what: { type: 'string' } } };
       export const tools = {
         forge: { description: 'Forges', inputSchema, needsApproval: true, execute: ({ what }) => 'forged ' + what },
       };`,
    );
    const script = obligingModel({
      answer: (_, index) =>
        index % 2 === 0 ? callTool('forge', { what: `nail ${index}` }) : reply(`Done ${index}.`),
    });
    await using server = await startWireServer('anthropic', script);
    await using terminal = openTerminal(place, ['chat', '--agent', 'agent.mjs'], server.env);
    await terminal.see('Agent: Smith');
    await terminal.see('You: ');
    terminal.type(`A nail, please${ENTER}`);
    await terminal.see('Run forge {"what":"nail 0"}? (y)es / for this (s)ession / (a)lways / (n)o');
    terminal.type(`y${ENTER}`);
    await terminal.see('← forge forged nail 0');
    await terminal.see('Smith: Done 1.');
    await terminal.see('You: ');
    // What is being typed when the question comes is not the answer, and is there again behind it.
    terminal.type(`Another${ENTER}y`);
    await terminal.see('Run forge {"what":"nail 2"}? (y)es / for this (s)ession / (a)lways / (n)o ');
    terminal.type(`n${ENTER}`);
    await terminal.see('← forge was not allowed');
    await terminal.see('Done 3.');
    await terminal.see('You: y');
    // Allowed for the session, it is not asked about again.
    terminal.type(`es, two more${ENTER}`);
    await terminal.see('Run forge {"what":"nail 4"}?');
    terminal.type(`s${ENTER}`);
    await terminal.see('Done 5.');
    terminal.type(`And one${ENTER}`);
    await terminal.see('← forge forged nail 6');
    await terminal.see('Done 7.');
  });

  it('is asked before another agent takes over, and before a fresh start', async () => {
    using place = createChatPlace();
    for (const name of ['Sally', 'Harry'])
      writeFileSync(
        path.join(place.folder, `${name}.mjs`),
        `export const name = '${name}'; export const instructions = 'You are ${name}.';`,
      );
    await place.talk(['Hello', 'exit'], { args: ['--agent', 'Sally.mjs'] });
    await using other = openTerminal(place, ['chat', '--agent', 'Harry.mjs']);
    await other.see(/Session created with \S+Sally\.mjs, using\s+\S+Harry\.mjs\.\s+Continue\? \(y\/n\) $/);
    expect(other.text.match(/Continue\?/g)).toHaveLength(1);
    other.type(`n${ENTER}`);
    await other.see('"--new" starts another');
    expect(await other.ended).toBe(54);
    const file = path.join(place.folder, 'old.md');
    writeFileSync(
      file,
      `# Sally Conversation\n\n**Session ID:** session_5\n**Agent Path:** ${path.join(place.folder, 'Sally.mjs')}\n\n---\n\n## Query 1 (14:30:45)\n**You:** Which port?\n\n**Sally:** 8080.\n`,
    );
    const before = (await place.sessions()).length;
    await using declined = openTerminal(place, ['chat', '--new', '--agent', 'Harry.mjs']);
    await declined.see('You: ');
    declined.type(`resume ${file}${ENTER}`);
    await declined.see('Continue? (y/n)');
    declined.type(`n${ENTER}`);
    await declined.see('Not resumed: it stays with its agent.');
    expect(await place.sessions()).toHaveLength(before);
    declined.type(`resume ${file}${ENTER}`);
    await declined.see('(y/n)');
    declined.type(`y${ENTER}`);
    await declined.see('Restoring context');
    await declined.see('You: ');
    expect((await place.sessions()).map(({ id }) => id)).toContain('session_5');
    await using fresh = openTerminal(place, ['chat', '--resume', 'session_7']);
    await fresh.see('Parent session session_7 not found, starting fresh');
    await fresh.see('(y/n)');
    fresh.type(`y${ENTER}`);
    await fresh.see('You: ');
  });
});
