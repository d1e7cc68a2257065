import { generateText, isStepCount } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linkLabel, openProject, projectOfSession } from '../../../src/project/index.ts';
import type { NewEntry } from '../../../src/record/index.ts';
import { createRecallTool, type RecallToolOptions } from '../../../src/search/index.ts';
import { excludeEntries, forkSession, openSession } from '../../../src/session/index.ts';
import { assistant, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { countText } from '../../../src/tokens/index.ts';
import { type Desk, openDesk } from './desk.ts';

const LONG = Array.from({ length: 3000 }, (_, n) => `line ${n} 😀`).join('\n');
const TALK = [
  user('The printer in Leeds charges 4711 pounds.'),
  assistant('Noted.'),
  toolCall('Edit', { file_path: 'docs/budget.md', text: 'printer: 4711' }),
  toolResult('Edit', LONG),
  assistant('The budget is written down.'),
  user('Thanks. What about the weather?'),
  assistant('Sunny.'),
];

async function withTool(
  options: Partial<RecallToolOptions> = {},
): Promise<Desk & { tool: ReturnType<typeof createRecallTool> }> {
  const desk = await openDesk(TALK);
  await desk.compact(2);
  const { store, recall } = desk;
  return { ...desk, tool: createRecallTool({ store, recall, session: 'desk', ...options }) };
}

describe('the recall tool', () => {
  it('searches compacted messages, and reads them with their neighbours', async () => {
    await using desk = await withTool();
    const found = await desk.tool.execute({ query: 'what does the printer in Leeds charge' });
    expect(found).toMatch(/^Found, best first \(history.*\n#1 user, \d{4}-\d\d-\d\d: .*4711 pounds/);
    const read = await desk.tool.execute({ entry: '#1', around: 1 });
    expect(read.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^#1 user, .*: The printer in Leeds charges 4711 pounds\.$/),
      expect.stringMatching(/^#2 assistant, .*: Noted\.$/),
    ]);
    const [{ id } = { id: '' }] = await desk.session.read({ limit: 1 });
    expect(await desk.tool.execute({ entry: id })).toContain('4711');
    expect(await desk.tool.execute({ entry: 1 })).toContain('4711');
  });

  it('finds nothing of the turn that it is called in: that is in front of the model', async () => {
    await using desk = await withTool();
    const query = 'printer in Leeds charge';
    await desk.session.append([
      user('What was it that the printer in Leeds does charge?'),
      toolCall('recall', { query }),
    ]);
    const found = await desk.tool.execute({ query });
    expect(found).toMatch(/\n#1 user/);
    expect(found).not.toContain('What was it');
    expect(found).not.toContain(`: recall ${query}`);
    await desk.session.append([toolResult('recall', found), assistant('4711 pounds.')]);
    expect(await desk.tool.execute({ query })).toContain('What was it');
  });

  it('gives near copies of a message once, and says how many there are', async () => {
    await using desk = await withTool();
    const states = ['pending', 'running', 'done'].map((state) =>
      assistant(
        `The list: order paper, call the plumber, water the plants, book a train. Plumber: ${state}.`,
      ),
    );
    await desk.session.append(states);
    const found = await desk.tool.execute({ query: 'call the plumber' });
    expect(found.match(/water the plants/g)).toHaveLength(1);
    expect(found).toContain('(and 2 alike)');
  });

  it('takes exact ids, its own and those of hits: neither a title nor the start of one', async () => {
    await using desk = await withTool({ reach: 'everywhere' });
    await desk.store.create({ id: 'desk_2' });
    await desk.store.append('desk_2', [{ body: user('desk') }]);
    for (const session of ['des', 'desk_', 'DESK', 'The printer in Leeds charges 4711 pounds.'])
      await expect(desk.tool.execute({ entry: 1, session })).rejects.toMatchObject({
        code: 'session-not-found',
      });
    expect(await desk.tool.execute({ entry: 1, session: 'desk_2' })).toContain('desk_2');
    const { store, recall } = desk;
    const lost = createRecallTool({ store, recall, session: 'des' });
    await expect(lost.execute({ query: 'printer' })).rejects.toMatchObject({ code: 'session-not-found' });
  });

  it('takes filters', async () => {
    await using desk = await withTool();
    const numbers = async (input: Parameters<typeof desk.tool.execute>[0]) =>
      [...(await desk.tool.execute(input)).matchAll(/^#(\d+)/gm)].map(([, seq]) => Number(seq));
    expect((await numbers({ query: 'printer', role: 'assistant' }))[0]).toBe(3);
    expect(await numbers({ query: '"printer"', role: 'assistant' })).toEqual([3]);
    expect(await numbers({ query: 'printer', file: 'docs' })).toEqual([3]);
    expect(await numbers({ query: 'printer', until: '2001-01-01' })).toEqual([]);
    expect(await numbers({ query: 'printer', since: '2001-01-01', limit: 1 })).toHaveLength(1);
    const today = new Date().toISOString().slice(0, 10);
    expect(await numbers({ query: 'printer', until: today })).not.toEqual([]);
    expect(await desk.tool.execute({ query: 'zzzz' })).toContain('Nothing was found');
  });

  it('keeps to its size, and says where to read on', async () => {
    await using desk = await withTool({ maxTokens: 300 });
    let text = '';
    for (let offset: number | undefined = 0; offset !== undefined && text.length < 3000; ) {
      const answer: string = await desk.tool.execute({ entry: 4, offset });
      expect(countText(answer)).toBeLessThanOrEqual(300);
      expect(answer.isWellFormed()).toBe(true);
      const part =
        /^#4 tool, [\d-]+: \(part of (\d+) characters(?:; go on with "offset": (\d+))?\) ([\s\S]*)$/m.exec(
          answer,
        )!;
      text += part[3];
      offset = part[2] === undefined ? undefined : Number(part[2]);
    }
    expect(`(Edit) ${LONG}`.startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThan(2999);
    const around = await desk.tool.execute({ entry: 5, around: 3 });
    expect(around).toContain('The budget is written down.');
    expect(around).toMatch(/\(1 more around it did not fit/);
  });

  it('does not read out excluded or removed entries', async () => {
    await using desk = await withTool();
    await excludeEntries(desk.session, { from: 1, to: 1 });
    expect(await desk.tool.execute({ query: 'printer in Leeds', limit: 1 })).not.toContain('pounds');
    await expect(desk.tool.execute({ entry: 1 })).rejects.toThrow('taken out of the conversation');
    expect(await desk.tool.execute({ entry: 2, around: 2 })).not.toContain('pounds');
  });

  it('does not read out the summary of excluded messages', async () => {
    await using desk = await withTool();
    const { seq, from, to } = desk.session.info.state.roots[0]!;
    await excludeEntries(desk.session, { from, to });
    await expect(desk.tool.execute({ entry: seq })).rejects.toThrow('taken out of the conversation');
  });

  it.each([
    ['session', ['desk'], ['sister', 'stranger']],
    ['family', ['desk', 'sister'], ['stranger']],
    ['everywhere', ['desk', 'sister', 'stranger'], []],
  ] as const)('reaches as far as %s', async (reach, within, beyond) => {
    await using desk = await withTool({ reach });
    const { store, session } = desk;
    await forkSession(store, session.info, { at: 2, id: 'sister' });
    await using sister = await openSession(store, 'sister');
    await sister.append([user('A printer in York, says the sister.')]);
    await store.create({ id: 'stranger' }, [{ body: user('A printer in Hull, says the stranger.') }]);
    const found = await desk.tool.execute({ query: 'printer', limit: 20 });
    const says = { desk: 'Leeds', sister: 'York', stranger: 'Hull' };
    for (const id of within) expect(found).toContain(says[id]);
    for (const id of beyond) expect(found).not.toContain(says[id]);
    for (const id of beyond)
      await expect(desk.tool.execute({ entry: 1, session: id })).rejects.toThrow('not within reach');
    for (const id of within) expect(await desk.tool.execute({ entry: 1, session: id })).toContain('printer');
  });

  it('reaches the sessions of its project, whatever they call it', async () => {
    await using desk = await withTool({ reach: 'project' });
    const { store, session } = desk;
    const named = (project: string): NewEntry => ({
      body: { kind: 'setting', name: 'project', value: project, by: 'user' },
    });
    await store.append('desk', [named('press')]);
    await session.refresh();
    const project = await openProject(store, (await projectOfSession(store, session.info))!);
    await linkLabel(store, project, 'printing');
    await store.create({ id: 'by-id' }, [named(project.id), { body: user('A printer in York.') }]);
    await store.create({ id: 'by-label' }, [named('printing'), { body: user('A printer in Hull.') }]);
    await store.create({ id: 'other' }, [named('bank'), { body: user('A printer in Bath.') }]);
    const found = await desk.tool.execute({ query: 'printer', limit: 20 });
    for (const town of ['Leeds', 'York', 'Hull']) expect(found).toContain(town);
    expect(found).not.toContain('Bath');
    expect(await desk.tool.execute({ entry: 2, session: 'by-label' })).toContain('Hull');
    await expect(desk.tool.execute({ entry: 2, session: 'other' })).rejects.toThrow('not within reach');
  });

  it.each([
    [{}, 'Give "query"'],
    [{ entry: 'one' }, 'neither the number nor the id'],
    [{ entry: 99 }, 'numbered 1 to'],
    [{ query: 'x', since: 'yesterday' }, 'is no time'],
    [{ query: 'x', session: 'nobody' }, 'No session "nobody"'],
  ])('says what to do about %j', async (input, message) => {
    await using desk = await withTool();
    await expect(desk.tool.execute(input)).rejects.toThrow(message);
  });

  it('is a tool that a model of the AI SDK can call', async () => {
    await using desk = await withTool();
    const model = scripted(
      [{ query: 'printer Leeds charge' }, { entry: 1, around: 1 }],
      'It charges 4711 pounds.',
    );
    const { text, steps } = await generateText({
      model,
      tools: { recall: desk.tool },
      stopWhen: isStepCount(5),
      prompt: 'What did the printer charge?',
    });
    expect(text).toBe('It charges 4711 pounds.');
    const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
    expect(outputs).toEqual([expect.stringContaining('4711'), expect.stringContaining('#2 assistant')]);
    expect(z.toJSONSchema(desk.tool.inputSchema)).toMatchObject({ type: 'object' });
  });
});

/** Calls the tool with each of these inputs, then answers. */
function scripted(inputs: readonly object[], answer: string): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  let step = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const input = inputs[step++];
      return input
        ? {
            content: [
              {
                type: 'tool-call',
                toolCallId: `call-${step}`,
                toolName: 'recall',
                input: JSON.stringify(input),
              },
            ],
            finishReason: { unified: 'tool-calls', raw: undefined },
            usage,
            warnings: [],
          }
        : {
            content: [{ type: 'text', text: answer }],
            finishReason: { unified: 'stop', raw: undefined },
            usage,
            warnings: [],
          };
    },
  });
}
