import { describe, expect, it } from 'vitest';
import { markUnknown } from '../../../src/compaction/claims/mark-unknown.ts';
import { type EntryBody, emptySummary } from '../../../src/record/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';

const ENGLISH = [
  user('Please rename the setting and keep the old name readable. Then look at the tests and the build.'),
  toolCall('Edit', { file_path: 'src/settings.ts' }, { id: 'e' }),
  toolResult('Edit', 'ok', { id: 'e' }),
  assistant('The setting has its new name. The old one is still read, and the tests and the build are next.'),
];

function isMarked(text: string, ...talk: EntryBody[]): boolean {
  const own = 'The setting was renamed and the old name is still read.';
  const summary = { ...emptySummary(own), completed: [{ text, from: [] }] };
  return markUnknown(summary, { entries: logOf(...talk) }).completed[0]!.text !== text;
}

function ran(command: string, output: string, failed = false): EntryBody[] {
  return [
    toolCall('bash', { command }, { id: command }),
    toolResult('bash', output, { id: command, ...(failed && { error: true }) }),
  ];
}

const OUTCOMES = [
  { text: 'All tests pass.', command: 'npx vitest run', report: 'All 12 tests pass now.' },
  { text: 'The tests were run and passed.', command: 'npm test', report: 'I ran the tests.' },
  { text: 'The build is green.', command: 'npm run build', report: 'The build is green again.' },
  {
    text: 'The change was deployed.',
    command: 'make deploy',
    report: 'It is deployed, I have deployed it to the cluster.',
  },
  {
    text: 'The branch was merged into main.',
    command: 'git merge settings',
    report: 'The branch is merged into main.',
  },
  {
    text: 'The change was pushed to origin.',
    command: 'git push origin main',
    report: 'I pushed it to origin.',
  },
  {
    text: 'The new name was verified.',
    command: 'node app.mjs --selftest',
    report: 'I verified that it works.',
  },
];

describe.each(OUTCOMES)('$text', ({ text, command, report }) => {
  it('is marked where nothing of it happened', () => {
    expect(isMarked(text, ...ENGLISH)).toBe(true);
  });

  it('stays when a command did it, when the agent says so, and when the person does', () => {
    expect(isMarked(text, ...ENGLISH, ...ran(command, 'done'))).toBe(false);
    expect(isMarked(text, ...ENGLISH, assistant(report))).toBe(false);
    expect(isMarked(text, ...ENGLISH, user(report))).toBe(false);
  });

  it('is marked when the command failed, or was only looked for', () => {
    const failed = ran(command, 'Exit code 1\nit did not work');
    expect(isMarked(text, ...ENGLISH, ...failed)).toBe(true);
    expect(isMarked(text, ...ENGLISH, ...ran(`grep -rn "settings" src`, 'src/settings.ts'))).toBe(true);
  });
});

it.each([
  'The tests must pass before the rename.',
  'It was asked to make sure that the tests pass and to keep the old name.',
  'The setting should be deployed to the cluster next.',
  'The old name was not verified yet.',
  'If the tests pass, the renamed setting can be merged, with the old name.',
])('no outcome is claimed: %s', (text) => {
  expect(isMarked(text, ...ENGLISH)).toBe(false);
});

it('a question or a plan is no sign that it happened', () => {
  expect(isMarked('All tests pass.', ...ENGLISH, user('Do all tests pass?'))).toBe(true);
  expect(isMarked('All tests pass.', ...ENGLISH, assistant('I will see that all tests pass.'))).toBe(true);
});

it('the summary before tells of what happened before', () => {
  const before = { ...emptySummary('x'), completed: [{ text: 'All tests pass.', from: [] }] };
  const summary = {
    ...emptySummary('The setting was renamed.'),
    completed: [{ text: 'The tests passed.', from: [] }],
  };
  const marked = (known: object) =>
    markUnknown(summary, { entries: logOf(...ENGLISH), ...known }).completed[0]!.text;
  expect(marked({ before })).toBe('The tests passed.');
  expect(marked({})).toContain('not in the conversation');
});

describe('in other languages', () => {
  it.each([
    {
      talk: 'Bitte sieh dir die Tests und den Build an, wenn die Einstellung umbenannt ist.',
      texts: [
        'Alle Tests sind grün.',
        'Der Build war erfolgreich.',
        'Die Einstellung wurde deployt und ausgerollt.',
      ],
    },
    {
      talk: 'Regarde les tests et le build quand le paramètre est renommé, et dis-le à tous.',
      texts: [
        'Tous les tests passent.',
        'Le build est vert pour le paramètre.',
        'Le paramètre a été déployé pour tous.',
      ],
    },
    {
      talk: 'Mira las pruebas y el build cuando el ajuste esté renombrado, y dilo a todos.',
      texts: [
        'Todas las pruebas pasan.',
        'El build del ajuste está en verde.',
        'El ajuste fue desplegado para todos.',
      ],
    },
    {
      talk: 'Olha os testes e o build quando a opção estiver com o nome novo, e diz a todos.',
      texts: ['Todos os testes passaram.', 'O build da opção passou.', 'A opção foi publicada para todos.'],
    },
    {
      talk: "Guarda i test e la build quando l'opzione è rinominata, e dillo a tutti.",
      texts: [
        'Tutti i test sono passati.',
        'La build della opzione passa.',
        "L'opzione è stata rilasciata a tutti.",
      ],
    },
    {
      talk: 'Посмотри тесты и сборку, когда настройка получит новое имя, и скажи всем.',
      texts: ['Все тесты прошли.', 'Сборка прошла успешно.', 'Настройка развёрнута для всех.'],
    },
    {
      talk: '改名之后请看一下设置的测试和构建，然后部署并告诉大家。',
      texts: ['设置的测试已经全部通过。', '设置的构建成功。', '设置已部署。'],
    },
    {
      talk: '設定の名前を変えたらテストとビルドを見て、デプロイの前にみんなに伝えてください。',
      texts: ['設定のテストはすべて合格した。', '設定のビルドは成功した。', '設定をデプロイした。'],
    },
    {
      talk: '설정 이름을 바꾼 뒤 테스트와 빌드를 보고 배포 전에 모두에게 알려 주세요.',
      texts: ['설정 테스트를 모두 통과했다.', '설정 빌드가 성공했다.', '설정을 배포했다.'],
    },
  ])('$talk', ({ talk, texts }) => {
    for (const text of texts) {
      expect([text, isMarked(text, user(talk), assistant(talk))]).toEqual([text, true]);
      expect([text, isMarked(text, user(talk), assistant(`${text}`))]).toEqual([text, false]);
    }
  });
});
