import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import type { Message } from '../../../src/record/index.ts';
import { renderSummary } from '../../../src/summary/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';

const digest = (...entries: Message[]) => digestEntries(logOf(...entries), { maxTokens: 2000 });
const said = (...entries: Message[]) => renderSummary(digest(...entries));
const texts = (lines: readonly { readonly text: string }[] = []) => lines.map(({ text }) => text);

describe('later decisions', () => {
  it('replaces no decision in the same words about something else', () => {
    const stores = ['Redis', 'Kafka', 'Vault', 'Etcd', 'Consul', 'Postgres', 'Kafka', 'Redis'];
    const decided = stores.map(
      (name, at) =>
        `We decided to use ${name} for part-${at}, because the old one was too slow by ${40 + at * 13} ms.`,
    );
    const { decisions } = digest(
      ...decided.flatMap((text, at) => [
        user(`Next is part ${at} of the service. ${text} Then look at how the requests come in.`),
        assistant(`Fine, noted ${at}. The parts fit, and we go on.`),
      ]),
    );
    // The first one is told by the goal.
    expect(texts(decisions)).toEqual(expect.arrayContaining(decided.slice(1)));
    expect(texts(decisions).join('\n')).not.toContain('noted');
  });

  it('replaces a time of day that is said not to be so', () => {
    const text = said(
      user('Let us write down the billing outage of Saturday for the review.'),
      assistant('When did it begin?'),
      user('started 03:00, the first call came at 04:10'),
      assistant('Noted.'),
      user('hang on, the journal has the first failure at 03:40 not 03:00.'),
      assistant('Corrected: it began at 03:40.'),
    );
    expect(text).toContain('03:40');
    expect(text).not.toContain('started 03:00');
  });

  it('undoes a change when the figure is back to where it was', () => {
    const text = said(
      user('The queue is slow, please help me to find out why.'),
      assistant('Try more workers.'),
      user('went from 4 to 16 workers on the second node'),
      assistant('And?'),
      user('no change at all, so it is back to 4'),
      assistant('Then the workers are not the reason.'),
    );
    expect(text).not.toContain('from 4 to 16');
  });

  it('replaces a decision of the agent that was named as one', () => {
    const text = said(
      user('どの基準で古いタグを消そうか。'),
      assistant('90日を提案します。'),
      user('それでいい。'),
      assistant('では90日を基準にします。'),
      user('90日は短いかな。180日にしよう。'),
      assistant('180日ですね。'),
    );
    expect(text).toContain('180日にしよう');
    expect(text).not.toContain('では90日を基準にします');
  });
});

describe('requests with tools', () => {
  it('takes a command that the person ran for no request', () => {
    const summary = digest(
      user('Rename the config module, please.'),
      toolCall('Edit', { file_path: 'src/config.ts' }, { id: '1' }),
      toolResult('Edit', 'ok', { id: '1' }),
      assistant('Renamed it to settings.'),
      user('Ran `ls` (exit code 0)\nREADME.md package.json src test'),
    );
    expect(texts(summary.state)).toEqual([]);
    expect(summary.pending).toEqual([]);
  });

  it('tells with a yes what it was said to, and what came of it', () => {
    const { completed } = digest(
      user('The loader knows no aliases, look into it.'),
      toolCall('Read', { file_path: 'src/loader.ts' }, { id: '1' }),
      toolResult('Read', '…', { id: '1' }),
      assistant('It resolves relative paths only. Should I add the aliases of the bundler to the loader?'),
      user('yes'),
      toolCall('Edit', { file_path: 'src/loader.ts' }, { id: '2' }),
      toolResult('Edit', 'ok', { id: '2' }),
      assistant('Added the four aliases of the bundler to the loader.'),
    );
    expect(texts(completed)).toEqual([
      'yes → Should I add the aliases of the bundler to the loader? → Added the four aliases of the bundler to the loader.',
    ]);
  });

  it('does not list unchanged things among finished work', () => {
    const { completed } = digest(
      user('Commit the new loader.'),
      toolCall('bash', { command: 'git commit -m "New loader"' }, { id: '1' }),
      toolResult('bash', 'ok', { id: '1' }),
      assistant('Committed the new loader.\n\nLocal changes still there:\n- `app/local.json`'),
    );
    expect(texts(completed).join()).not.toContain('local.json');
  });

  it('names the work behind a bare "Done.", and announces nothing', () => {
    const summary = digest(
      user('Move the config module up one folder.'),
      assistant('Let me look at the imports of the config module first.'),
      toolCall('Edit', { file_path: 'src/config.ts' }, { id: '1' }),
      toolResult('Edit', 'ok', { id: '1' }),
      assistant('Done. The config module lies in `src/`, and nine imports point there.'),
    );
    expect(texts(summary.completed)).toEqual([
      'Move the config module up one folder. → Done. The config module lies in `src/`, and nine imports point there.',
    ]);
    expect(renderSummary(summary)).not.toContain('Let me look');
  });

  it('does not take a new task for a yes to the offer before it', () => {
    const text = said(
      user('Plan the new session class.'),
      toolCall('Read', { file_path: 'src/main.ts' }, { id: '1' }),
      toolResult('Read', '…', { id: '1' }),
      assistant('The plan has four steps. Should I start with the first one?'),
      user('ok, create a branch called sessions'),
      toolCall('bash', { command: 'git checkout -b sessions' }, { id: '2' }),
      toolResult('bash', 'ok', { id: '2' }),
      assistant('Done. The branch `sessions` is checked out.'),
    );
    expect(text).toContain(
      'ok, create a branch called sessions → Done. The branch `sessions` is checked out.',
    );
  });

  it('keeps what the person says before and after something pasted, in little room', () => {
    const pasted = JSON.stringify({
      type: 'message',
      parts: Array.from({ length: 60 }, (_, n) => `part ${n}`),
    });
    const { goal } = digest(
      user(
        `then we have to mend this:\n\n${pasted}\n\nthe result must follow its call, how can we ensure that?`,
      ),
      toolCall('Read', { file_path: 'src/loop.ts' }, { id: '1' }),
    );
    expect(texts(goal)[0]).toContain('then we have to mend this:');
    expect(texts(goal)[0]).toContain('the result must follow its call');
  });

  it('tells a short answer with its question', () => {
    const { decisions } = digest(
      user('Set up the queue for the mailer.'),
      toolCall('Read', { file_path: 'src/mailer.ts' }, { id: '1' }),
      toolResult('Read', '…', { id: '1' }),
      assistant('Two brokers would do.\n1. Redis\n2. Postgres\n\nWhich broker should the mailer use?'),
      user('Postgres'),
      toolCall('Edit', { file_path: 'src/mailer.ts' }, { id: '2' }),
    );
    expect(texts(decisions)).toEqual(['Which broker should the mailer use? → Postgres']);
  });

  it('lists a taste of the person among the standing rules', () => {
    const { standing } = digest(
      user('Plan the tests of the session class.'),
      toolCall('Read', { file_path: 'src/session.ts' }, { id: '1' }),
      toolResult('Read', '…', { id: '1' }),
      assistant('Unit tests for each method, and two end to end.'),
      user('i would only want end to end tests here.'),
      assistant('Then only those.'),
    );
    expect(texts(standing)).toEqual(['i would only want end to end tests here.']);
  });

  it('lists the newest totals of the tests, and no command that only looked', () => {
    const summary = digest(
      user('Mend the nightly export, it writes empty files.'),
      toolCall('bash', { command: 'find logs -name "*.log" -exec cat {} \\;' }, { id: '1' }),
      toolResult('bash', 'empty', { id: '1' }),
      toolCall('bash', { command: 'npm test' }, { id: '2' }),
      toolResult('bash', 'Tests 3 failed | 13 passed', { id: '2' }),
      toolCall('Edit', { file_path: 'src/job.ts' }, { id: '3' }),
      toolResult('Edit', 'ok', { id: '3' }),
      toolCall('bash', { command: 'npm test' }, { id: '4' }),
      toolResult('bash', 'Tests 16 passed', { id: '4' }),
      assistant(
        'The stream was closed too early. Not done yet: the files of last week have to be written again.',
      ),
    );
    expect(texts(summary.completed)).toContain('npm test → Tests 16 passed');
    expect(renderSummary(summary)).not.toContain('3 failed');
    expect(texts(summary.pending)).toContain(
      'Not done yet: the files of last week have to be written again.',
    );
    expect(summary.ledger.filter(({ text }) => text.includes('find'))).toEqual([]);
  });
});

describe('rules in other languages', () => {
  it.each([
    [
      'Precisamos mudar o servidor de e-mail da empresa antes de sexta, e não temos muito tempo para isso.',
      'Nunca apague as caixas antigas.',
    ],
    ['Нужно перенести базу на новый сервер.', 'Никогда не удаляй резервные копии.'],
    ['금요일까지 결제 서버를 옮겨야 해.', '백업은 절대 지우지 마.'],
    ['我们要把网站搬到新机房。', '绝对不能停机超过10分钟。'],
  ])('%s %s', (task, rule) => {
    expect(texts(digest(user(`${task} ${rule}`), assistant('…')).standing)).toEqual([rule]);
  });
});
