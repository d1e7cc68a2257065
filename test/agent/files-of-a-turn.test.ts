import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.each([
  { of: 'an agent on a SQLite store', most: 70, args: [] },
  { of: 'an agent with a system prompt, instructions and facts of a project', most: 79, args: ['project'] },
])('one offline turn of $of runs in $most files at most', ({ most, args }) => {
  const script = ['test/agent/files-of-a-turn.ts', ...args];
  const files = JSON.parse(execFileSync(process.execPath, script, { encoding: 'utf8' })) as string[];
  expect(files).toContain('agent/open-agent.ts');
  expect(files).toContain('store/sqlite/append-entries.ts');
  expect(files.includes('project/facts/fit-facts.ts')).toBe(args.includes('project'));
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most);
});
