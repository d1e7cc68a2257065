import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import type { EntryBody, Summary } from '../../../src/record/index.ts';
import { renderSummary } from '../../../src/summary/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { intends } from '../../../src/text/language/intends.ts';

const texts = (lines: readonly { readonly text: string }[] = []) => lines.map(({ text }) => text);
const digest = (...bodies: EntryBody[]): Summary => digestEntries(logOf(...bodies), { maxTokens: 800 });
const saying = (text: string, call: ReturnType<typeof toolCall>) => ({
  ...call,
  parts: [{ type: 'text', text }, ...call.parts],
});

describe('work that was cut off', () => {
  const cut = [
    user('What does the scheduler cost us a month?'),
    assistant('About 40 euros, most of it for the idle worker.'),
    user('Move the worker to the small machine and keep its queue as it is.'),
    saying(
      'The worker needs 300 MB at most. I will write the new unit file and then drain the queue.',
      toolCall('Bash', { command: 'systemctl cat worker' }, { id: '1' }),
    ),
    toolResult('Bash', '[Service]', { id: '1' }),
  ];

  it('says what the agent was about to do, and not how an older request ended', () => {
    const { state } = digest(...cut);
    expect(texts(state)).toEqual([
      'The worker needs 300 MB at most.',
      'I will write the new unit file and then drain the queue.',
    ]);
  });

  it('lists nothing as open that the agent only announced before it went on', () => {
    const summary = digest(
      user('ログの圧縮を直して'),
      saying(
        'まだ残っている設定を確認し、修正を進めます。',
        toolCall('Read', { file_path: 'a.ts' }, { id: '1' }),
      ),
      toolResult('Read', 'x', { id: '1' }),
    );
    expect(texts(summary.pending)).toEqual(['ログの圧縮を直して']);
  });

  it('lists the steps of a plan in their order, also where a script wrote it', () => {
    const script =
      'const r = await tools.update_plan({plan:[{step:"Read the unit file","status":"completed"},{step:"Write the new one","status":"in_progress"},{step:"Drain the queue","status":"pending"}]});';
    const summary = digest(
      user('Move the worker to the small machine.'),
      toolCall('exec', script, { id: '1' }),
      toolResult('exec', '{}', { id: '1' }),
    );
    expect(texts(summary.pending)).toEqual([
      'Move the worker to the small machine.',
      'Write the new one',
      'Drain the queue',
    ]);
    expect(texts(summary.completed)).toEqual(['Read the unit file']);
  });
});

describe('what an agent is going to do', () => {
  it.each([
    ["Now I'll add the index.", 'The index was added.'],
    ['Ich schreibe jetzt die Migration.', 'Ich habe die Migration geschrieben.'],
    ['Je vais corriger le test.', "J'ai corrigé le test."],
    ['Voy a cambiar la consulta.', 'He cambiado la consulta.'],
    ['Agora vou corrigir a rota.', 'Corrigi a rota.'],
    ['Ora controllo il file di configurazione.', 'Ho controllato il file.'],
    ['Сейчас проверю настройки.', 'Проверил настройки, всё верно.'],
    ['이제 테스트를 추가하겠습니다.', '테스트를 추가했습니다.'],
    ['接下来我来修改配置。', '配置已经修改了。'],
    ['次に設定を書き換えます。', '設定は三つあります。'],
  ])('is distinguished from results and findings: %s / %s', (before, after) => {
    expect([intends(before), intends(after)]).toEqual([true, false]);
  });
});

describe('lines that say what they belong to', () => {
  it('names the command that a total is of, once for all its totals', () => {
    const { completed } = digest(
      user('Check the parser.'),
      toolCall('Bash', { command: 'make lint test' }, { id: '1' }),
      toolResult('Bash', '0 issues.\n12 passing\n', { id: '1' }),
      assistant('The parser is sound.'),
    );
    expect(texts(completed)).toContain('make lint test → 0 issues.; 12 passing');
  });

  it('takes the size of a change that was only looked at for no change', () => {
    const summary = digest(
      user('What would be committed?'),
      toolCall('Bash', { command: 'git diff --stat' }, { id: '1' }),
      toolResult('Bash', ' 3 files changed, 70 insertions(+), 11 deletions(-)', { id: '1' }),
      assistant('Three files of the parser.'),
    );
    expect(renderSummary(summary)).not.toContain('70 insertions');
  });

  it('puts the heading before a label that stands under several', () => {
    const text = renderSummary(
      digest(
        user('Compare the three stores for the session data of the shop.'),
        toolCall('Read', { file_path: 'stores.md' }, { id: '1' }),
        toolResult('Read', 'x', { id: '1' }),
        assistant(
          '## Redis\n\n**Cost:** 40 euros a month for the smallest machine.\n\n## Postgres\n\n**Cost:** nothing, because the shop has one already.',
        ),
      ),
    );
    expect(text).toContain('Redis: Cost: 40 euros a month');
    expect(text).toContain('Postgres: Cost: nothing');
  });

  it('does not take the words for a failure for one where nothing was run', () => {
    const summary = digest(
      user('How does the guard of the agent work?'),
      toolCall('Read', { file_path: 'guard.ts' }, { id: '1' }),
      toolResult('Read', 'x', { id: '1' }),
      assistant(
        'Deleting the mapping breaks the link to its session. The guard fails when the file is gone.',
      ),
    );
    expect([...texts(summary.pending), ...texts(summary.blockers)]).toEqual([]);
  });

  it('gives a proposal that the first words behind the range take up', () => {
    const entries = logOf(
      user('The import is slow, what can we do?'),
      toolCall('Read', { file_path: 'import.ts' }, { id: '1' }),
      toolResult('Read', 'x', { id: '1' }),
      assistant('Every row is its own transaction. Shall I write them in batches of 500 rows?'),
      user('yes please'),
    );
    const summary = digestEntries(entries.slice(0, 4), { maxTokens: 600, after: entries.slice(4) });
    expect(texts(summary.decisions)).toEqual(['yes please → Shall I write them in batches of 500 rows?']);
  });
});

describe('a goal', () => {
  it('has the end of a long prompt, where the task of this time stands', () => {
    const rules = Array.from({ length: 30 }, (_, n) => `The folder number ${n} holds reports of that week.`);
    const { goal } = digest(
      user(`You are the keeper of the reports.\n\n${rules.join('\n\n')}\n\nRename the reports of June.`),
      toolCall('Bash', { command: 'mv a b' }, { id: '1' }),
      toolResult('Bash', '', { id: '1' }),
    );
    expect(texts(goal)[0]).toMatch(/^You are the keeper of the reports\..*… .*Rename the reports of June\.$/);
  });

  it('leaves out files that a program attached to the message', () => {
    const attached = {
      kind: 'message' as const,
      role: 'user' as const,
      parts: [
        'Sort the entries of @list.md by date.',
        '\n--- Content from referenced files ---',
        '\nContent from @list.md:\n',
        'We decided to never sort this list by hand.',
        '\n--- End of content ---',
      ].map((text) => ({ type: 'text', text })),
    };
    const inline = user(
      'Sort the entries by date.\n<path>/repo/list.md</path>\n<type>file</type>\n<content>1: We decided to never sort this list by hand.\n</content>',
    );
    for (const body of [attached, inline])
      expect(
        renderSummary(digest(body, toolCall('Read', { file_path: 'list.md' }, { id: '1' }))),
      ).not.toContain('by hand');
  });
});
