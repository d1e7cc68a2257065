// A line under "completed" may well say that something was tried, put off or given up. Which words do that is a matter of
// lists, one for each of the languages that people write such lines in most.

const OPEN_WORDS = [
  // English: undone work, work still to do, and steps that only lead up to it.
  String.raw`\b(?:not|never|nothing|n['’]t|cannot|unable|impossible|without success|fail(?:s|ed|ing|ure)?|refused?|declined?|rejected|denied|blocked|stuck|aborted|cancel+ed|abandoned|reverted|rolled back|skipped|postponed|deferred|delayed)\b`,
  String.raw`\b\w+n['’]t\b`,
  String.raw`\b(?:later|tomorrow|soon|eventually|to ?do|to be (?:done|continued)|will|going to|next|plan(?:s|ned|ning)?|propos(?:ed|al)|suggest(?:ed|ion)|consider(?:ed|ing)?|discuss(?:ed|ion)?|schedul(?:ed|ing)|(?:agreed|decided|promised|wants?|needs?|asked|offered) to|want(?:s|ed)?|started|began|begun|beginning|attempt(?:s|ed)?|tried|trying|in progress|ongoing|pending|remaining|partly|partially|half(?:way)?|incomplete|unfinished)\b`,
  // German
  String.raw`(?<!\p{L})(?:nicht|nie|kein\w*|ohne Erfolg|konnte|unmöglich|fehlgeschlagen|gescheitert|abgebrochen|abgelehnt|verweigert|verschoben|später|morgen|bald|werde[nt]?|wird|soll(?:en|te)?|geplant|Plan|Vorschlag|vorgeschlagen|begonnen|angefangen|versucht|teilweise|noch|offen)(?!\p{L})`,
  // French
  String.raw`(?<!\p{L})(?:pas|jamais|impossible|échou\w*|échec|refus\w*|annul\w*|reporté\w*|abandonné\w*|plus tard|demain|bientôt|sera|seront|va|vais|prévu\w*|proposé\w*|plan|commencé\w*|essayé|tenté|en cours|partiellement)(?!\p{L})`,
  // Spanish, Portuguese, Italian
  String.raw`(?<!\p{L})(?:no (?:se|ha|han|he|pude|pudo|puedo|fue|está|es)|nunca|jamás|imposible|falló|fallid\w*|rechazad\w*|cancelad\w*|pospuest\w*|más tarde|luego|mañana|pronto|será\w*|va a|voy a|previst\w*|propuest\w*|plan|empezad\w*|intentad\w*|intentó|pendiente|parcialmente|todavía|aún|não|impossível|falhou|adiad\w*|depois|ainda|non (?:è|ha|ho|si|sono|posso)|impossibile|fallit\w*|rimandat\w*|più tardi|domani|pianificat\w*|iniziat\w*|provato|ancora)(?!\p{L})`,
  // Russian
  String.raw`(?<!\p{L})(?:не|нельзя|невозможно|никогда|неудач\w*|отказ\w*|отмен\p{L}*|отложен\p{L}*|позже|потом|завтра|будет|буду|план\p{L}*|предложен\p{L}*|начат\p{L}*|попыт\p{L}*|частично|пока|ещё|еще)(?!\p{L})`,
  // Chinese, Japanese, Korean
  '未|没|无法|不能|不行|不可|失败|拒绝|取消|放弃|推迟|稍后|以后再|之后再|明天|计划|打算|准备|建议|尝试|开始|将会|将要',
  '(?:ない|なかった|ません|ませんでした)(?:[。.！!]|$)|失敗|拒否|中止|延期|後で|後ほど|これから|明日|予定|計画|提案|試し|開始|一部|まだ|未',
  '못|않|없|안 |실패|거부|취소|연기|나중|내일|예정|계획|제안|시도|시작|일부|아직',
];
const OPEN = new RegExp(OPEN_WORDS.join('|'), 'giu');

/** What follows says why or what for, not whether: "Fixed the login, because it did not …". */
const REASON =
  /[,;(]? ?(?<!\p{L})(?:so that|because|since|whenever|when|which|that|where|if|no longer|weil|damit|sodass|wenn|parce qu|pour qu|porque|para que|чтобы|потому)(?!\p{L}).*/iu;

/**
 * Whether a line says that a task was not done, not yet or only in part. Words that the task itself is made of say nothing:
 * who planned the release has done "Plan the release". In doubt a task stays open.
 */
export function leavesOpen(line: string, task: string): boolean {
  const said = plain(line).replace(REASON, '');
  const asked = ` ${plain(task)}`;
  return (said.match(OPEN) ?? []).some((word) => !asked.includes(stemOf(word)));
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The beginning of a word, or all of it where words are not set apart. */
function stemOf(word: string): string {
  return /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Hangul}/u.test(word) ? word : ` ${word.slice(0, 4)}`;
}
