import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import { renderSummary } from '../../../src/summary/index.ts';
import { assistant, logOf, user } from '../../../src/testing/index.ts';

interface Talk {
  readonly goal: string;
  readonly ok: string;
  /** Forbids by the form of its verb alone, without a word like "never". */
  readonly forbids: string;
  /** A thing that was done, as an agent reports it without a pronoun. */
  readonly reports: string;
  readonly thanks: string;
}

const TALKS: Readonly<Record<string, Talk>> = {
  de: {
    goal: 'Wir bauen das Lager der Fahrradwerkstatt um, und ich brauche eine Liste der Regale.',
    ok: 'Gut.',
    forbids: 'Ändere bitte nichts an den Nummern der Regale.',
    reports: 'Ich habe die Liste mit 40 Regalen angelegt.',
    thanks: 'Vielen Dank, das war sehr nett.',
  },
  fr: {
    goal: "Nous rangeons l'atelier de vélos et j'ai besoin d'une liste des étagères.",
    ok: 'Bien.',
    forbids: 'Ne change pas les numéros des étagères.',
    reports: "J'ai créé la liste avec 40 étagères.",
    thanks: "Merci beaucoup, c'est très gentil.",
  },
  es: {
    goal: 'Estamos ordenando el taller de bicicletas y necesito una lista de los estantes.',
    ok: 'Bien.',
    forbids: 'No cambies los números de los estantes.',
    reports: 'Importé la lista con 40 estantes.',
    thanks: 'Muchas gracias por todo.',
  },
  pt: {
    goal: 'Estamos arrumando a oficina de bicicletas e preciso de uma lista das prateleiras.',
    ok: 'Certo.',
    forbids: 'Não mexa nos números das prateleiras.',
    reports: 'Publiquei a lista com 40 prateleiras.',
    thanks: 'Muito obrigado, foi ótimo.',
  },
  it: {
    goal: "Stiamo riordinando l'officina delle biciclette e mi serve un elenco degli scaffali.",
    ok: 'Bene.',
    forbids: 'Non toccare i numeri degli scaffali.',
    reports: "Ho scritto l'elenco con 40 scaffali.",
    thanks: 'Grazie mille, molto gentile.',
  },
  ru: {
    goal: 'Мы наводим порядок в мастерской велосипедов, и мне нужен список полок.',
    ok: 'Хорошо.',
    forbids: 'Номера полок пока не меняй.',
    reports: 'Загрузил список, 40 полок перенесены.',
    thanks: 'Большое спасибо, очень приятно.',
  },
  ko: {
    goal: '자전거 정비소를 정리하고 있어서 선반 목록이 필요합니다.',
    ok: '네.',
    forbids: '선반 번호는 바꾸지 마세요.',
    reports: '선반 40개를 목록으로 옮겼습니다.',
    thanks: '정말 감사합니다.',
  },
  ja: {
    goal: '自転車工房の棚を整理していて、棚の一覧が必要です。',
    ok: 'はい。',
    forbids: '棚の番号は変えないでください。',
    reports: '40個の棚の一覧を作成しました。',
    thanks: '本当にありがとうございます。',
  },
  zh: {
    goal: '我们在整理自行车修理店的货架，需要一份货架清单。',
    ok: '好。',
    forbids: '不准改货架的编号。',
    reports: '已录入四十个货架的清单。',
    thanks: '非常感谢，辛苦了。',
  },
};

function digestOf({ goal, ok, forbids, reports, thanks }: Talk) {
  const log = logOf(
    user(goal),
    assistant(ok),
    user(forbids),
    assistant(ok),
    user(thanks),
    assistant(reports),
    user(thanks),
    assistant(ok),
  );
  return digestEntries(log, { maxTokens: 2000 });
}

describe.each(Object.entries(TALKS))('talk in another language (%s)', (_language, talk) => {
  const summary = digestOf(talk);
  const texts = (lines: readonly { readonly text: string }[] = []) =>
    lines.map(({ text }) => text).join('\n');

  it('has its prohibition among the rules', () => {
    expect(texts(summary.standing)).toContain(talk.forbids);
    expect(texts(summary.pending)).not.toContain(talk.forbids);
  });

  it('has what was done among what is completed', () => {
    expect(texts(summary.completed)).toContain(talk.reports);
  });

  it('says nothing of thanks', () => {
    expect(renderSummary(summary)).not.toContain(talk.thanks);
  });
});

describe('what only looks like a cue', () => {
  const sections = (text: string) => {
    const { standing, pending, completed } = digestOf({ ...TALKS.zh!, forbids: text });
    return [standing, pending, completed].map(
      (lines) => lines?.some((line) => line.text.includes(text)) ?? false,
    );
  };

  it.each(['热数据保留九十天。', '我们已经有两台服务器。'])(
    'leaves nothing open and reports nothing: %s',
    (text) => {
      expect(sections(text)).toEqual([false, false, false]);
    },
  );

  it('forbids nothing: a decision of several people in French', () => {
    const { standing } = digestOf({ ...TALKS.fr!, forbids: "On n'y touche pas ce trimestre." });
    expect(standing ?? []).toEqual([]);
  });
});

it('a promise in words of every talk is an open point, and no pleasantry', () => {
  const { pending } = digestOf({ ...TALKS.ja!, forbids: 'まだ言っていない。明日聞いてみます。' });
  expect(pending.map(({ text }) => text).join('\n')).toContain('明日聞いてみます');
});
