import type { TodoState } from '../tool-actions/tool-actions.ts';

const CHECKBOX = /^[ \t]{0,40}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,4}\[([ xX✓])\][ \t]+(\S.*)$/gm;
/** Behind other words only with a colon: "there is a TODO about it" notes nothing. */
const NOTED =
  /(?:^[\s/#*>-]*(?:TODO|FIXME)(?:\([^)\n]{0,40}\))?:?|[\s(](?:TODO|FIXME)(?:\([^)\n]{0,40}\))?:)[ \t]+(\S[^\n]{3,})/gm;
const NEXT =
  /^[ \t*_#>-]{0,20}(?:next steps?|remaining(?: work| tasks?)?|still to do|left to do)(?: (?:is|are|will be))?[ \t*_]{0,4}:?[ \t*_]{0,4}(\S[^\n]{3,})?$/gim;
/** Open points under their name at the start of a line, in the languages of the cues. */
const OPEN = new RegExp(
  `^[ \\t*_#>-]{0,20}(?:${[
    'to-?do',
    'to do',
    'open',
    'open points?',
    'open questions?',
    'still open',
    'pending',
    'offen',
    'noch offen',
    'offene punkte',
    'noch zu tun',
    'zu tun',
    'à faire',
    'reste à faire',
    'points ouverts',
    'en suspens',
    'pendientes?',
    'por hacer',
    'queda por hacer',
    'pendentes?',
    'a fazer',
    'falta fazer',
    'da fare',
    'resta da fare',
    'in sospeso',
    '待办',
    '待办事项',
    '未解决',
    '未完成',
    '待處理',
    '待辦',
    'やること',
    '残り',
    '未完了',
    '未解決',
    '할 일',
    '미해결',
    '남은 일',
    'сделать',
    'осталось',
    'открыто',
    'открытые вопросы',
  ].join('|')})[ \\t*_]{0,4}[:：][ \\t*_]{0,4}(\\S[^\\n]{1,})?$`,
  'gimu',
);
const BULLET = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(\S.*)$/;
/** A list that says that it is empty, or gives a mere number, names no open point. */
const NOTHING =
  /^[-*•\s]*(?:none|nothing|no|n\/a|nichts|keine?|rien|aucune?|nada|ningun[oa]|nenhuma?|niente|nessun[oa]|无|無|没有|なし|特になし|없음|нет|ничего|[\d\p{P}\p{S}\s]+)(?: (?:left|yet|mehr|so far|open))?[\p{P}\s]*$/iu;
const LONGEST = 1_000;
const MOST = 40;

/** A to-do in a text. A `next` step is one for now: in a continued conversation it is unknown whether it was taken. */
interface StatedTodo extends TodoState {
  readonly next: boolean;
}

/** To-dos that a text states: checkboxes, "TODO: …", what follows "Open:" and the like, and "Next step(s):". */
export function findTodos(text: string): StatedTodo[] {
  if (!MIGHT.test(text)) return [];
  const found = new Map<string, StatedTodo>();
  const add = (words: string, { done = false, next = false }: { done?: boolean; next?: boolean } = {}) => {
    const clean = words
      .replace(/[*_`]{2,}/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const short = clean.slice(0, LONGEST).toWellFormed();
    if (clean.length >= 2 && !clean.endsWith(':') && !NOTHING.test(clean) && found.size < MOST)
      found.set(short, { text: short, done, next });
  };
  for (const [, mark, words] of text.matchAll(CHECKBOX)) add(words!, { done: mark !== ' ' });
  for (const [, words] of text.matchAll(NOTED)) add(words!);
  for (const match of text.matchAll(OPEN)) {
    if (match[1]) add(match[1]);
    else for (const words of bulletsAfter(text, match.index + match[0].length)) add(words);
  }
  for (const match of text.matchAll(NEXT)) {
    if (match[1] && !match[1].endsWith(':')) add(match[1], { next: true });
    else for (const words of bulletsAfter(text, match.index + match[0].length)) add(words, { next: true });
  }
  return [...found.values()];
}

const MIGHT =
  /\[[ xX✓]\]|to-?do|FIXME|next step|remaining|to do|open|pending|offen|zu tun|faire|ouverts|suspens|pend[ie]|hacer|fazer|fare|sospeso|待|未|やること|残り|할 일|미해결|남은 일|сделать|осталось|открыт/iu;

function bulletsAfter(text: string, index: number): string[] {
  const found: string[] = [];
  for (const line of text.slice(index, index + 4000).split('\n')) {
    const bullet = BULLET.exec(line);
    if (bullet && bullet[1] === undefined) found.push(bullet[2]!);
    else if (line.trim() && !bullet && !/^\s/.test(line)) break;
    if (found.length >= 12) break;
  }
  return found;
}
