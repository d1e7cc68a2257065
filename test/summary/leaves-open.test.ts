import { describe, expect, it } from 'vitest';
import { emptySummary } from '../../src/record/index.ts';
import { finishesTask, foldCheckpoint, leavesOpen } from '../../src/summary/index.ts';

const lines = (...texts: string[]) => texts.map((text) => ({ text, from: [] }));

describe('a line under "completed"', () => {
  it.each([
    ['Deploy the server', 'Deployed the server to production'],
    ['Deploy the server', 'Server deploy is done'],
    ['Fix login', 'Fixed the login, because it did not keep the cookie'],
    ['Fix login', 'Fix login so that it never logs out by itself'],
    ['Fix crash on empty input', 'Fix crash on empty input: no longer happens'],
    ['Plan the release', 'Plan the release: planned for June'],
    ['Investigate why tests fail', 'Investigate why tests fail: a race in the pool'],
    ['Handle requests that are not signed', 'Handle requests that are not signed: 401'],
    ['Rename the package', 'Renamed the package to foo'],
    ['Start the worker', 'Start the worker: runs on port 80'],
    ['Write the migration', 'Wrote the migration'],
    ['Build the image', 'The image was built'],
    ['Send the invoice', 'Sent the invoice to Ann'],
    ['Run the suite', 'Ran the suite'],
    ['Choose a name', 'Name chosen: aiarmy'],
    ['Tests für den Parser schreiben', 'Tests für den Parser schreiben: fertig'],
    ['Écrire la documentation', 'Écrire la documentation : terminé'],
    ['Escribir las pruebas', 'Escribir las pruebas: hecho, sin errores'],
    ['把包重命名为 foo', '已将包重命名为 foo'],
    ['テストを追加する', 'テストを追加する作業は完了'],
  ])('closes "%s" by saying "%s"', (task, done) => {
    expect(finishesTask(done, task)).toBe(true);
  });

  it.each([
    ['Deploy the server', 'Could not deploy the server'],
    ['Deploy the server', "Couldn't deploy the server"],
    ['Deploy the server', 'Deploy of the server failed'],
    ['Deploy the server', 'Tried to deploy the server'],
    ['Deploy the server', 'Deploy the server: blocked by CI'],
    ['Deploy the server', 'Agreed to deploy the server tomorrow'],
    ['Deploy the server', 'Will deploy the server'],
    ['Deploy the server', 'Deploy the server: skipped'],
    ['Fix login', 'Wrote a plan for how to fix the login later'],
    ['Fix login', 'Discussed how to fix login'],
    ['Fix login', 'Started to fix the login'],
    ['Fix login', 'Fix login (partially)'],
    ['Login reparieren', 'Login reparieren: ging nicht'],
    ['Login reparieren', 'Plan, das Login später zu reparieren, Login'],
    ['Réparer le login', 'Réparer le login : pas encore'],
    ['Arreglar el login', 'No se pudo arreglar el login'],
    ['Исправить логин', 'Исправить логин не удалось'],
    ['部署服务器', '无法部署服务器'],
    ['部署服务器', '计划稍后部署服务器'],
    ['サーバーを配備する', 'サーバーを配備する予定'],
    ['サーバーを配備する', 'サーバーを配備することはできません'],
    ['서버 배포', '서버 배포 실패'],
  ])('leaves "%s" open by saying "%s"', (task, done) => {
    expect(finishesTask(done, task)).toBe(false);
    const folded = foldCheckpoint([
      { ...emptySummary('before'), pending: lines(task) },
      { ...emptySummary('after'), completed: lines(done) },
    ]);
    expect(folded.pending).toEqual(lines(task));
  });
});

it.each(['a', 'n', '_', 'if ', 'so that '])('is read in time, however often it repeats %s', (unit) => {
  // What grows with the square of its length would take minutes here, and run out of time.
  expect(leavesOpen(`${unit.repeat(100_000 / unit.length)}\nx`, 'Deploy the server')).toBeTypeOf('boolean');
});
