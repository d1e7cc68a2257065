import { jsonSchema, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type AgentTool,
  defineTool,
  runTurn,
  type TurnEvent,
  type TurnOptions,
} from '../../src/agent/index.ts';
import { isPart } from '../../src/record/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { type ScriptedCall, scriptedModel } from './scripted-model.ts';
import { tellEntry, told } from './told.ts';

const any = { type: 'object' };

/** Lets a model make these calls in one answer, and gives what the log says about them. */
async function call(
  calls: readonly ScriptedCall[],
  tools: Readonly<Record<string, AgentTool>>,
  options: TurnOptions = {},
): Promise<{ results: string[]; session: Session }> {
  const session = await createSession(createMemoryStore(), { id: 's' });
  const model = scriptedModel([{ calls }, { text: 'Done.' }]);
  await runTurn(session, 'Go', { model, tools, ...options });
  const results = (await told(session)).filter((line) => line.startsWith('tool'));
  return { results, session };
}

describe('a tool', () => {
  it('gets its input and tells its output, as text or as JSON', async () => {
    const tools = {
      text: { inputSchema: any, execute: (input: unknown) => `got ${JSON.stringify(input)}` },
      json: { inputSchema: any, execute: async () => ({ at: new Date(0), list: [1, undefined] }) },
      none: { inputSchema: any, execute: () => undefined },
      big: { inputSchema: any, execute: () => 10n },
    };
    const calls = ['text', 'json', 'none', 'big'].map((name) => ({ id: name, name, input: { x: 1 } }));
    expect((await call(calls, tools)).results).toEqual([
      'tool: = got {"x":1}',
      'tool: = {"at":"1970-01-01T00:00:00.000Z","list":[1,null]}',
      'tool: =',
      'tool: = 10',
    ]);
  });

  it('may be one of the AI SDK, with any of its schemas', async () => {
    const tools = {
      zod: tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n + 1 }),
      json: tool({
        inputSchema: jsonSchema<{ n: number }>({ type: 'object' }),
        execute: ({ n }) => n + 2,
        toModelOutput: ({ output }) => ({ type: 'text', value: `<${String(output)}>` }),
      }),
    };
    const calls = Object.keys(tools).map((name) => ({ id: name, name, input: { n: 1 } }));
    expect((await call(calls, tools)).results).toEqual(['tool: = 2', 'tool: = <3>']);
  });

  it('gets its input with the defaults of its schema, as the log has it', async () => {
    const inputSchema = z.object({ n: z.number(), unit: z.string().default('g') });
    const weigh = defineTool({ inputSchema, execute: ({ n, unit }) => `${n} ${unit}` });
    const { results, session } = await call([{ id: 'a', name: 'weigh', input: { n: 5 } }], { weigh });
    expect(results).toEqual(['tool: = 5 g']);
    const parts = (await session.read()).flatMap(({ body }) => (body.kind === 'message' ? body.parts : []));
    expect(parts.find((part) => isPart(part, 'tool-call'))?.input).toEqual({ n: 5, unit: 'g' });
  });

  it('that throws is reported to the model, and so is a missing tool or a wrong call', async () => {
    const tools = {
      throws: {
        inputSchema: any,
        execute() {
          throw new Error('the disk is full');
        },
      },
      picky: {
        inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        execute: () => expect.unreachable(),
      },
    };
    const calls = [
      { id: 'a', name: 'throws' },
      { id: 'b', name: 'missing' },
      { id: 'c', name: 'picky', input: { n: 'one' } },
      { id: 'd', name: 'picky', input: '{"n": 1' },
      { id: 'e', name: 'toString' },
    ];
    const { results, session } = await call(calls, tools);
    expect(results).toEqual([
      'tool: = error the disk is full',
      expect.stringMatching(/^tool: = error .*missing.*throws, picky/),
      expect.stringMatching(/^tool: = error .*picky/),
      expect.stringMatching(/^tool: = error .*picky/),
      expect.stringMatching(/^tool: = error .*toString/),
    ]);
    expect((await told(session)).filter((line) => line === '(started)')).toHaveLength(1);
  });

  it('whose output cannot be kept has run all the same, and the model gets a note', async () => {
    const toModelOutput = () => ({ type: 'json', value: () => 'a function' });
    const { results } = await call([{ id: 'a', name: 'odd' }], {
      odd: { inputSchema: any, execute: () => 1, toModelOutput },
    });
    expect(results).toEqual([
      expect.stringMatching(/^tool: = error The tool ran, but its output cannot be kept/),
    ]);
  });

  it('may report on the way; the last word counts', async () => {
    const events: TurnEvent[] = [];
    const tools = {
      slow: {
        inputSchema: any,
        async *execute() {
          yield 'half';
          yield 'all';
        },
      },
    };
    const { results } = await call([{ id: 'a', name: 'slow' }], tools, {
      onEvent: (event) => events.push(event),
    });
    expect(results).toEqual(['tool: = all']);
    expect(events.filter(({ type }) => type === 'tool-delta')).toMatchObject([
      { output: 'half' },
      { output: 'all' },
    ]);
  });

  it('that has an effect runs alone, one after the other; those that may be repeated run together', async () => {
    const trace: string[] = [];
    const traced = (name: string, repeatable: boolean): AgentTool => ({
      inputSchema: any,
      repeatable,
      async execute() {
        trace.push(`${name} begins`);
        await new Promise(setImmediate);
        trace.push(`${name} ends`);
      },
    });
    const tools = { look: traced('look', true), peek: traced('peek', true), write: traced('write', false) };
    const calls = ['look', 'peek', 'write', 'write'].map((name, index) => ({ id: `c${index}`, name }));
    const { session } = await call(calls, tools);
    expect(trace).toEqual([
      ...['look begins', 'peek begins', 'look ends', 'peek ends'],
      ...['write begins', 'write ends', 'write begins', 'write ends'],
    ]);
    expect((await session.read()).slice(2, 12).map(tellEntry)).toEqual([
      ...['(started)', '(started)', 'tool: =', 'tool: ='],
      ...['(started)', 'tool: =', '(started)', 'tool: ='],
      'assistant: Done.',
    ]);
  });

  it('that needs approval runs only with it', async () => {
    const ran: unknown[] = [];
    const shell = { inputSchema: any, needsApproval: true, execute: (input: unknown) => ran.push(input) };
    const careful = {
      ...shell,
      needsApproval: (input: unknown) => (input as { command: string }).command.startsWith('rm'),
    };
    const calls = [
      { id: 'a', name: 'shell', input: { command: 'ls' } },
      { id: 'b', name: 'careful', input: { command: 'ls' } },
      { id: 'c', name: 'careful', input: { command: 'rm' } },
    ];
    const nobody = await call(calls, { shell, careful });
    expect(nobody.results).toEqual([
      expect.stringMatching(/denied This tool needs approval, and nobody is there/),
      'tool: = 1',
      expect.stringMatching(/denied/),
    ]);

    const asked: unknown[] = [];
    const { results, session } = await call(
      calls,
      { shell, careful },
      {
        approve(request) {
          asked.push(request);
          return request.toolName === 'shell' || { approved: false, reason: 'not today' };
        },
      },
    );
    expect(asked).toEqual([
      { toolCallId: 'a', toolName: 'shell', input: { command: 'ls' }, scopes: ['once'] },
      { toolCallId: 'c', toolName: 'careful', input: { command: 'rm' }, scopes: ['once'] },
    ]);
    expect(results).toEqual(['tool: = 2', 'tool: = 3', 'tool: = denied not today']);
    expect((await told(session)).filter((line) => line === '(started)')).toHaveLength(2);
  });

  it('has a result for each call also when the model gives two of them one id', async () => {
    const calls = [
      { id: 'same', name: 'echo', input: { n: 1 } },
      { id: 'same', name: 'echo', input: { n: 2 } },
    ];
    const echo = { inputSchema: any, execute: (input: unknown) => (input as { n: number }).n };
    expect((await call(calls, { echo })).results).toEqual(['tool: = 1', 'tool: = 2']);
  });
});
