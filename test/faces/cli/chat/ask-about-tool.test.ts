import { expect, it } from 'vitest';
import { askAboutTool } from '../../../../src/faces/cli/chat/ask-about-tool.ts';

const ALL = ['once', 'session', 'always'] as const;
const ONCE = ['once'] as const;

it.each([
  ['y', ALL, { approved: true, scope: 'once' }],
  [' Yes ', ALL, { approved: true, scope: 'once' }],
  ['s', ALL, { approved: true, scope: 'session' }],
  ['A', ALL, { approved: true, scope: 'always' }],
  ['n', ALL, { approved: false }],
  ['', ALL, { approved: false }],
  [undefined, ALL, { approved: false }],
  ['sure', ALL, { approved: false }],
  ['constructor', ALL, { approved: false }],
  ['y', ONCE, { approved: true, scope: 'once' }],
  ['a', ONCE, { approved: false }],
] as const)('%j with %j to choose from is %j', async (answer, scopes, approval) => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer;
  };
  expect(await askAboutTool({ ask }, { toolName: 'deploy', input: { to: 'x' }, scopes })).toEqual(approval);
  expect(asked).toEqual([
    `Run deploy {"to":"x"}? ${scopes.length > 1 ? '(y)es / for this (s)ession / (a)lways / (n)o' : '(y/n)'}`,
  ]);
});
