import { describe, expect, it } from 'vitest';
import { markUnknown } from '../../../src/compaction/claims/mark-unknown.ts';
import { compactSession, PRESETS } from '../../../src/compaction/index.ts';
import { type Entry, emptySummary } from '../../../src/record/index.ts';
import { createSession, readFrontier } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { assistant, logOf, toolCall, toolResult, user } from '../../../src/testing/index.ts';
import { scripted } from '../scripted-summariser.ts';

const log = logOf(
  user('Please move the lease to 120 seconds, and tell Miriam. The limit is 1,046 jobs.'),
  toolCall('Edit', { file_path: 'src/queue/lease.ts' }, { id: 'e' }),
  toolResult('Edit', 'ok, 87 lines', { id: 'e' }),
  assistant('Done: `LEASE_SECONDS` is 120 now, see INC-2291. I said "the queue is idle at night".'),
);

function marked(text: string): string {
  const [line] = markUnknown({ ...emptySummary('x'), facts: [{ text, from: [] }] }, { entries: log }).facts;
  return line!.text;
}

it.each([
  'The lease is 120 seconds.',
  'The limit is 1046 jobs, in 3 queues.',
  'src/queue/lease.ts was edited, 87 lines.',
  'lease.ts has `LEASE_SECONDS`, for INC-2291.',
  'Then Miriam was told that "the queue is idle at night".',
  'Die Frist beträgt 120 Sekunden und Miriam weiß es.',
])('a line whose figures, names and quotes are in the source stays as it is: %s', (text) => {
  expect(marked(text)).toBe(text);
});

it.each([
  { text: 'The deploy port is 4711.', unknown: '4711' },
  { text: 'The change is in src/queue/worker.ts.', unknown: 'src/queue/worker.ts' },
  { text: 'The change is in src/queue.ts.', unknown: 'src/queue.ts' },
  { text: 'It closes INC-3000.', unknown: 'INC-3000' },
  { text: 'The option is `MAX_LEASE`.', unknown: 'MAX_LEASE' },
  { text: 'This was agreed with Roberta.', unknown: 'Roberta' },
  { text: 'The note says "ship it on Friday morning".', unknown: 'ship it on Friday morning' },
])('a line that names what the source does not have says so: $text', ({ text, unknown }) => {
  expect(marked(text)).toBe(`${text} (not in the conversation: ${unknown})`);
});

it('the summary before the range is a source, and a line with a note is none', () => {
  const before = { ...emptySummary('x'), facts: [{ text: 'The port is 4711.', from: [] }] };
  const noted = {
    ...emptySummary('x'),
    facts: [{ text: 'The port is 4711. (not in the conversation: 4711)', from: [] }],
  };
  const again = { ...emptySummary('x'), facts: [{ text: 'The port is 4711.', from: [] }] };
  expect(markUnknown(again, { entries: log, before }).facts[0]!.text).toBe('The port is 4711.');
  expect(markUnknown(again, { entries: log, before: noted }).facts[0]!.text).toContain('not in');
});

it('a figure that a model makes up is marked in the compaction', async () => {
  const session = await createSession(createMemoryStore(), { title: 'made up' });
  await session.append(
    Array.from({ length: 6 }, (_, n) => [
      user(`m${2 * n} asks about the deploy ${'and the build '.repeat(10)}`),
      assistant(`m${2 * n + 1} answers ${'that it is green '.repeat(10)}`),
    ]).flat(),
  );
  const summariser = scripted(() => ({
    summary: {
      ...emptySummary('The deploy.'),
      facts: [{ text: 'm13 says the deploy port is 4711', from: [] }],
    },
  }));
  const { by } = await compactSession(session, {
    settings: { ...PRESETS.balanced, keep: { messages: 2 } },
    summariser,
  });
  expect(by.kind).toBe('model');
  const [record] = await readFrontier(session.store, await session.refresh());
  const facts = record!.body.kind === 'compaction' ? record!.body.summary.facts : [];
  expect(facts.map(({ text }) => text)).toContain(
    'm13 says the deploy port is 4711 (not in the conversation: 4711)',
  );
});

describe('a line most of whose words are nowhere', () => {
  const talkOf = (said: string, heard: string) => logOf(user(said), assistant(heard));
  const judge = (text: string, entries: readonly Entry[], own: string) => {
    const facts = [own, text].map((line) => ({ text: line, from: [] }));
    return markUnknown({ ...emptySummary(), facts }, { entries }).facts.map(
      (line) => line.text !== own && line.text !== text,
    );
  };
  it.each([
    {
      said: 'Please keep the old name of the setting readable when you rename it.',
      heard: 'The setting has its new name, and the old one is still read.',
      own: 'The setting has a new name, the old name is still readable.',
      invented: 'The unit tests were run and all of them passed.',
    },
    {
      said: 'Bitte lass den alten Namen der Einstellung lesbar, wenn du sie umbenennst.',
      heard: 'Die Einstellung hat ihren neuen Namen, und der alte wird noch gelesen.',
      own: 'Die Einstellung hat einen neuen Namen, der alte Name bleibt lesbar.',
      invented: 'Die Tests wurden ausgeführt und alle bestanden.',
    },
    {
      said: "Garde l'ancien nom du paramètre lisible quand tu le renommes.",
      heard: "Le paramètre a son nouveau nom, et l'ancien est encore lu.",
      own: "Le paramètre a un nouveau nom, l'ancien nom reste lisible.",
      invented: "Le but est de migrer l'entrepôt vers un autre fournisseur.",
    },
    {
      said: 'Mantén legible el nombre antiguo del ajuste cuando lo cambies.',
      heard: 'El ajuste tiene su nombre nuevo y el antiguo todavía se lee.',
      own: 'El ajuste tiene un nombre nuevo, el antiguo todavía se lee.',
      invented: 'Se envió un correo a los clientes sobre la avería.',
    },
    {
      said: 'Mantém legível o nome antigo da opção quando a mudares.',
      heard: 'A opção tem o seu nome novo e o antigo ainda é lido.',
      own: 'A opção tem um nome novo, o antigo ainda é lido.',
      invented: 'A base de dados foi migrada e as cópias apagadas.',
    },
    {
      said: "Tieni leggibile il vecchio nome dell'impostazione quando lo cambi.",
      heard: "L'impostazione ha il suo nuovo nome e il vecchio viene ancora letto.",
      own: "L'impostazione ha un nuovo nome, il vecchio viene ancora letto.",
      invented: 'È stata inviata una mail ai clienti sul guasto della rete.',
    },
    {
      said: '请在改名时保留设置的旧名称可读。',
      heard: '设置已有新名称，旧名称仍然可以读取。',
      own: '设置已有新名称，旧名称仍然可读。',
      invented: '单元测试已经运行并全部通过。',
    },
    {
      said: '設定を改名するときは古い名前も読めるようにしてください。',
      heard: '設定は新しい名前になり、古い名前もまだ読めます。',
      own: '設定は新しい名前になり、古い名前も読める。',
      invented: '障害について顧客にメールを送信した。',
    },
    {
      said: '설정 이름을 바꿀 때 옛 이름도 읽을 수 있게 해 주세요.',
      heard: '설정은 새 이름이 되었고 옛 이름도 아직 읽을 수 있습니다.',
      own: '설정은 새 이름이 되었고 옛 이름도 읽을 수 있다.',
      invented: '단위 테스트를 실행했고 모두 통과했다.',
    },
    {
      said: 'Оставь старое имя настройки читаемым, когда переименуешь её.',
      heard: 'У настройки новое имя, старое имя всё ещё читается.',
      own: 'У настройки новое имя, старое имя читается.',
      invented: 'Клиентам отправлено письмо о сбое сети.',
    },
  ])('says so: $invented', ({ said, heard, own, invented }) => {
    expect(judge(invented, talkOf(said, heard), own)).toEqual([false, true]);
  });

  it('stays as it is in another language than the talk, which has other words for it', () => {
    const talk = talkOf(
      'Bitte lass den alten Namen der Einstellung lesbar, wenn du sie umbenennst.',
      'Die Einstellung hat ihren neuen Namen, und der alte wird noch gelesen.',
    );
    const own = 'The setting has a new name, and the old one can still be read.';
    expect(judge('It was renamed as the user wanted it to be.', talk, own)).toEqual([false, false]);
  });
});
