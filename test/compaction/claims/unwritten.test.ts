import { describe, expect, it } from 'vitest';
import { markUnknown } from '../../../src/compaction/claims/mark-unknown.ts';
import { type EntryBody, emptySummary } from '../../../src/record/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';

/** A talk, and two lines that a model writes from habit: of papers written and of requests opened. */
const TALKS: Readonly<
  Record<string, readonly [asked: string, answer: string, papers: string, opened: string]>
> = {
  en: [
    'Rename the setting, then think of the documentation and a pull request.',
    'The setting has its new name. The documentation is next.',
    'The documentation was updated.',
    'A pull request was opened.',
  ],
  de: [
    'Benenne die Einstellung um, und denk danach an die Dokumentation und einen Pull Request.',
    'Die Einstellung hat den neuen Namen. Die Dokumentation kommt als nächstes.',
    'Die Dokumentation wurde aktualisiert.',
    'Ein Pull Request wurde erstellt.',
  ],
  es: [
    'Cambia el nombre del ajuste y piensa después en la documentación y un pull request.',
    'El ajuste tiene el nombre nuevo. La documentación viene después.',
    'La documentación fue actualizada.',
    'El pull request fue abierto.',
  ],
  ru: [
    'Переименуй настройку, а потом подумай про документацию и pull request.',
    'У настройки новое имя. Документация будет потом.',
    'Документация обновлена.',
    'Pull request создан.',
  ],
  ja: [
    '設定の名前を変えて、そのあとドキュメントとプルリクエストを考えてください。',
    '設定の名前を変えました。次はドキュメントです。',
    'ドキュメントを更新しました。',
    'プルリクエストを作成しました。',
  ],
  zh: [
    '把设置改名,然后想想文档和合并请求。',
    '设置已经改名,接下来是文档。',
    '文档已更新。',
    '合并请求已创建。',
  ],
};

function marked(line: string, ...talk: EntryBody[]): boolean {
  const summary = { ...emptySummary(''), completed: [{ text: line, from: [] }] };
  return markUnknown(summary, { entries: logOf(...talk) }).completed[0]!.text !== line;
}

function called(tool: string, input: Record<string, string>): EntryBody[] {
  return [toolCall(tool, input, { id: 'x' }), toolResult(tool, 'ok', { id: 'x' })];
}

describe.each(Object.entries(TALKS))(
  'a line of a model (%s)',
  (_language, [asked, answer, papers, opened]) => {
    const talk = [user(asked), ...called('Edit', { file_path: 'src/settings.ts' }), assistant(answer)];

    it('is marked where no such file was written and nothing was opened', () => {
      expect(marked(papers, ...talk)).toBe(true);
      expect(marked(opened, ...talk)).toBe(true);
    });

    it('stays where a call did it', () => {
      const wrote = called('Edit', { file_path: 'docs/settings.md' });
      const ran = called('bash', { command: 'gh pr create --fill' });
      expect(marked(papers, ...talk, ...wrote)).toBe(false);
      expect(marked(opened, ...talk, ...ran)).toBe(false);
    });
  },
);

it('a file of the documentation that was only read does not make it written', () => {
  const [asked, answer, papers] = TALKS.en!;
  const talk = [user(asked), ...called('Read', { file_path: 'docs/settings.md' }), assistant(answer)];
  expect(marked(papers, ...talk)).toBe(true);
});
