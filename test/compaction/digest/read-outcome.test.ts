import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import { readOutcome } from '../../../src/compaction/digest/read-outcome.ts';
import { readRequests } from '../../../src/compaction/digest/read-requests.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { piecesOfEntries } from '../../../src/text/tool-actions/read-pieces.ts';

const texts = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text);
const tool = [toolCall('edit', { path: 'a.ts' }, { id: '1' }), toolResult('edit', 'ok', { id: '1' })];
/** What becomes of a request by an answer. */
const stateOf = (request: string, answer: string) => {
  const { all } = readRequests(piecesOfEntries(logOf(user(request), ...tool, assistant(answer))));
  return all.map(({ text, state }) => [text, state]);
};

describe('an answer', () => {
  it.each([
    ['Deploy the server to production.', 'I did not deploy the server: the tests fail.'],
    ['Deploy the server to production.', 'I haven’t deployed it yet.'],
    ['Deploy the server to production.', "I'm sorry, but I can't do that."],
    ['Deploy the server to production.', 'I was not able to reach the host.'],
    ['Deploy the server to production.', 'Unfortunately the registry is down.'],
    ['Deploy the server to production.', 'I refuse to deploy on a Friday.'],
    ['Deploy the server to production.', 'I will do that next.'],
    ['Deploy the server to production.', "I'll deploy the server once CI is green."],
    ['Deploy the server to production.', 'Deploying is blocked by the failing tests.'],
    ['Deploy the server to production.', 'I need your approval before I go on.'],
    ['Deploy the server to production.', 'The build is ready. The server is not ready for production.'],
    ['Deploy the server to production.', 'I need to know the region.'],
    ['Now add a test for it.', 'I started with the test; it is not finished yet.'],
    ['Delete the old branch.', 'I cannot do that: the branch is protected.'],
    ['Delete the old branch.', 'Not yet.'],
    ['Fix the login page.', 'I fixed the styles, but could not fix the login.'],
    ['Fix the login page.', 'I looked at the code. There are two ways to do it. Which one do you prefer?'],
    [
      'Fix the login page.',
      `${'There are many ways to go about it, and each has its price. '.repeat(6)}Shall I start?`,
    ],
    ['Lösche den alten Zweig.', 'Ich kann den Zweig nicht löschen, er ist geschützt.'],
    ['Schreibe jetzt einen Test.', 'Mache ich als Nächstes.'],
    ['Supprime la branche.', "Je n'ai pas pu supprimer la branche."],
    ['Borra la rama vieja.', 'No puedo borrar la rama.'],
    ['Apague o ramo antigo.', 'Não consegui apagar o ramo.'],
    ['Удали старую ветку.', 'Не удалось удалить ветку.'],
    ['现在添加一个测试。', '我接下来做。'],
    ['删除旧分支。', '无法删除旧分支，它受保护。'],
    ['テストを追加してください。', 'まだ追加していません。'],
    ['브랜치를 삭제해 주세요.', '브랜치를 삭제할 수 없습니다.'],
  ])('leaves "%s" open: "%s"', (request, answer) => {
    expect(stateOf(request, answer)).toEqual([[request, 'open']]);
  });

  it.each([
    ['Rename the package to foo.', 'I renamed the package to foo.'],
    ['Rename the package to foo.', 'Done.'],
    ['Rename the package to foo.', 'Done. Should I push it too?'],
    ['Rename the package to foo.', 'I renamed the package to foo, but could not push.'],
    ['Fix the cache.', 'Fixed: the entries did not expire, because nobody set a time.'],
    ['Fix the login page.', "The login page works again. I didn't touch anything else."],
    ['Why is the build slow?', 'The build compiles every file twice, because the cache is not shared.'],
    ['Explain the retry loop.', 'It waits twice as long after each try. Nothing else happens.'],
    ['Add retries to the client.', 'Added three retries. I’ll be happy to help with more.'],
    ['Benenne das Paket um.', 'Ich habe das Paket umbenannt.'],
    ['Supprime la branche.', "J'ai supprimé la branche."],
    ['Borra la rama vieja.', 'He borrado la rama.'],
    ['Удали старую ветку.', 'Готово, ветка удалена.'],
    ['把包重命名为 foo。', '已将包重命名为 foo。'],
    ['テストを追加してください。', 'テストを追加しました。'],
    ['브랜치를 삭제해 주세요.', '브랜치를 삭제했습니다.'],
  ])('finishes "%s": "%s"', (request, answer) => {
    expect(stateOf(request, answer)).toEqual([[request, 'finished']]);
  });
});

describe('a request that was refused', () => {
  const refused = [user('Delete the old branch.'), assistant('I cannot do that: the branch is protected.')];

  it('stays open whatever is said after it', () => {
    const entries = logOf(...refused, user('ok, thanks'), assistant('You are welcome.'));
    expect(texts(digestEntries(entries, { maxTokens: 800 }).pending)).toEqual(['Delete the old branch.']);
  });

  it.each(['Done.', 'I deleted the branch now.', 'The branch has been deleted.'])(
    'is finished by an answer that says so: %s',
    (answer) => {
      const entries = logOf(...refused, user('go ahead'), assistant(answer));
      const { completed, pending } = digestEntries(entries, { maxTokens: 800 });
      expect([texts(completed), texts(pending)]).toEqual([[`Delete the old branch. → ${answer}`], []]);
    },
  );

  it.each([
    ['I need the region of the server.', false],
    ['We exceed the quota of the server.', false],
    ['I moved the server.', true],
    ['We needed the key of the server and got it.', true],
  ])('says that the work is done by its verb, not by how a verb ends: %s', (answer, done) => {
    expect(readOutcome(answer).saysDone('Move the server.')).toBe(done);
  });

  it('does not keep the one after it from being finished', () => {
    const entries = logOf(...refused, user('Then rename the tag.'), assistant('I renamed the tag.'));
    const { completed, pending } = digestEntries(entries, { maxTokens: 800 });
    expect([texts(completed), texts(pending)]).toEqual([
      ['Then rename the tag. → I renamed the tag.'],
      ['Delete the old branch.'],
    ]);
  });
});

it('an answer of any length is read in no time', () => {
  const outcome = readOutcome(`${'I could not find it, but maybe later; '.repeat(100_000)}?`);
  const asked = 'Find it.';
  expect([outcome.asks, outcome.leavesOpen(asked), outcome.saysDone(asked)]).toEqual([true, false, false]);
});
