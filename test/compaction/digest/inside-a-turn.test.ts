import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import { compactSession, PRESETS } from '../../../src/compaction/index.ts';
import { createSession } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { renderSummary } from '../../../src/summary/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';

const texts = (lines: readonly { readonly text: string }[] = []) => lines.map(({ text }) => text);
const thinking = (text: string, call: ReturnType<typeof toolCall>) => ({
  ...call,
  parts: [{ type: 'reasoning', text }, ...call.parts],
});

describe('a range that begins in the middle of a turn', () => {
  const [asked, ...steps] = logOf(
    user('Find out why uploads stop at 2 GB. Never touch the production bucket.'),
    assistant('The limit is a 32-bit length in the multipart header of the client.'),
    toolCall('Read', { file_path: 'src/upload.ts' }, { id: '1' }),
    toolResult('Read', 'const length = new Int32Array(1);', { id: '1' }),
  );

  it('is summarised as work on the request that stands before it', () => {
    const summary = digestEntries(steps, { maxTokens: 600, asked: asked! });
    expect(texts(summary.goal).join(' ')).toContain('Find out why uploads stop at 2 GB.');
    expect(texts(summary.standing).join(' ')).toContain('Never touch the production bucket.');
    expect(renderSummary(summary)).toContain('32-bit length');
  });

  it('says of the request that stays nothing but the goal and the rules', () => {
    const summary = digestEntries(steps, { maxTokens: 600, asked: asked! });
    expect(summary.pending).toEqual([]);
  });

  it('gets that request from the session that is compacted', async () => {
    await using store = createMemoryStore();
    await using session = await createSession(store);
    await session.append([user('Move the report generator to the new queue.')]);
    for (let step = 0; step < 12; step++) {
      await session.append([
        toolCall('Bash', { command: `make step-${step}` }, { id: `${step}` }),
        toolResult('Bash', `line of output\n`.repeat(60), { id: `${step}` }),
        assistant(`Part ${step} of the generator is on the queue now, and its tests pass.`),
      ]);
    }
    const settings = { ...PRESETS.balanced, keep: { messages: 4 } };
    const { summary } = await compactSession(session, { settings });
    expect(summary).toContain('Goal: Move the report generator to the new queue.');
  });
});

describe('an agent that says nothing while it works', () => {
  const entries = logOf(
    user('Make the nightly export work again.'),
    thinking(
      "I'm currently weighing two ways to look at it. The cron entry points to a folder that was renamed in March.",
      toolCall('Bash', { command: 'crontab -l' }, { id: '1' }),
    ),
    toolResult('Bash', '0 3 * * * /srv/export/run', { id: '1' }),
  );

  it('is quoted from its thoughts, without what it was about to do', () => {
    const text = renderSummary(digestEntries(entries, { maxTokens: 600 }));
    expect(text).toContain('The cron entry points to a folder that was renamed in March.');
    expect(text).not.toContain('weighing two ways');
  });

  it('is quoted from its words where it has some', () => {
    const talks = logOf(
      user('Make the nightly export work again.'),
      thinking('Something private about the folder.', toolCall('Bash', { command: 'ls' }, { id: '1' })),
      toolResult('Bash', 'export', { id: '1' }),
      assistant('The folder of the export was renamed in March.'),
      toolCall('Bash', { command: 'mv a b' }, { id: '2' }),
      toolResult('Bash', '', { id: '2' }),
      assistant('Renamed it back, and the export runs.'),
    );
    expect(renderSummary(digestEntries(talks, { maxTokens: 600 }))).not.toContain('Something private');
  });
});

describe('what tools and programs write', () => {
  it('is no fact, unless it says why something failed', () => {
    const text = renderSummary(
      digestEntries(
        logOf(
          user('Read the handbook of the plugin, and then build it.'),
          toolCall('Bash', { command: 'cat HANDBOOK.md' }, { id: '1' }),
          toolResult('Bash', 'Prefer the umbrella entry point for general work in this plugin.', { id: '1' }),
          toolCall('Bash', { command: 'make plugin' }, { id: '2' }),
          toolResult('Bash', 'Error: the compiler of the plugin is not on this machine at all.', { id: '2' }),
          assistant('The plugin cannot be built here.'),
        ),
        { maxTokens: 600 },
      ),
    );
    expect(text).not.toContain('umbrella');
    expect(text).toContain('is not on this machine');
  });

  it('is left out where it is meant for the program around the agent', () => {
    const text = renderSummary(
      digestEntries(
        logOf(
          user('Push the branch, please.'),
          assistant('Pushed the branch `tidy`.\n::git-push{cwd="/srv/app" branch="tidy"}'),
          user('thanks'),
          assistant('No response requested.'),
        ),
        { maxTokens: 600 },
      ),
    );
    expect(text).toContain('Pushed the branch');
    expect(text).not.toMatch(/::git-push|No response requested/);
  });

  it('names a commit as git does, before it is named in other words', () => {
    const entries = logOf(
      user('Commit the trim of the reports, please.'),
      toolCall('Bash', { command: 'git commit -m "trim the yearly reports"' }, { id: '1' }),
      toolResult('Bash', '[main 4f2d9c1] trim the yearly reports\n', { id: '1' }),
      assistant('The reports are shorter by a third now.\n\nCommit: `trim the yearly reports`'),
    );
    for (let maxTokens = 30; maxTokens < 120; maxTokens += 2) {
      const text = renderSummary(digestEntries(entries, { maxTokens }));
      if (text.includes('Commit: `trim')) expect(text).toContain('[main 4f2d9c1]');
    }
    expect(renderSummary(digestEntries(entries, { maxTokens: 120 }))).toContain('[main 4f2d9c1]');
  });

  it('names no name alone', () => {
    const { ledger } = digestEntries(
      logOf(
        user('See https://example.com/a/b and the commit 4f2d9c1a7b.'),
        assistant('Seen both, and they agree.'),
      ),
      { maxTokens: 600 },
    );
    expect(ledger.filter(({ kind }) => kind === 'url' || kind === 'identifier')).toEqual([]);
  });

  it('is a request where the person gave a command with a slash', () => {
    const command =
      '<command-message>pr</command-message>\n<command-name>/pr</command-name>\n<command-args>draft</command-args>';
    const summary = digestEntries(
      logOf(
        user(command),
        toolCall('Bash', { command: 'gh pr create' }, { id: '1' }),
        toolResult('Bash', '', { id: '1' }),
      ),
      { maxTokens: 600 },
    );
    expect(texts(summary.goal)).toEqual(['/pr draft']);
  });

  it.each([
    'ok  \texample.com/app/store\t0.412s',
    '0 issues.',
    '12 passing',
    'All checks passed!',
    '3 files changed, 70 insertions(+), 11 deletions(-)',
  ])('tells how it ended: %s', (line) => {
    const summary = digestEntries(
      logOf(
        user('Tidy the store and run everything.'),
        toolCall('Bash', { command: 'make check' }, { id: '1' }),
        toolResult('Bash', `building\n${line}\n`, { id: '1' }),
        assistant('The store is tidy.'),
      ),
      { maxTokens: 600 },
    );
    expect(texts(summary.completed)).toContain(`make check → ${line.trim()}`);
  });
});
