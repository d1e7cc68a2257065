import {
  type Act,
  asks,
  type Cues,
  contentWords,
  type LineSection,
  offers,
  opensDone,
  type Statement,
} from '../../text/index.ts';
import type { DigestTurn, Utterance } from './read-turns.ts';
import { entitiesIn } from './settle-open.ts';

/** An offer that was passed over so many turns ago is no longer open. */
export const OFFER_REACH = 12;

/** Where an answer stands in the conversation. */
export interface DigestPlace {
  readonly turn: DigestTurn;
  /** What the person said next. */
  readonly next: Utterance | undefined;
  /** How many turns follow. */
  readonly age: number;
  /** What the agent offered in the turns after it. */
  readonly later: readonly string[];
  readonly cues: Cues;
}

/** What a sentence of the agent's last message of a turn does. */
export function actOfAgent({ text, ticked, lead }: Statement, place: DigestPlace): Act {
  const { turn, cues } = place;
  if (ticked !== undefined) return ticked ? 'done' : 'open';
  if (asks(text) || offers(text)) return isUnanswered(text, place) ? 'open' : 'asked';
  if (cues.leavesOpen.test(text) && cues.promises.test(text)) return 'open';
  if (place.age < LATELY && (cues.blocks.test(text) || stillFails(text, place))) return 'open';
  if (cues.abandons.test(text)) return 'fact';
  if (opensDone(text) || (turn.worked && lead && !LEFT.test(lead) && (CHANGES.test(lead) || opensDone(lead))))
    return 'done';
  if (turn.worked && cues.reports.test(text) && !cues.unreal.test(text)) return 'done';
  if (turn.worked && RECORDED.test(text)) return 'done';
  return TURNS.test(text) ? 'changed' : 'fact';
}

/** So many turns from the end of the range a failure or an obstacle is still news. */
const LATELY = 3;

/** Without a run and without a failure in the talk, words of failure describe how a thing is made. */
function stillFails(text: string, { turn, cues }: DigestPlace): boolean {
  if (!cues.fails.test(text) || MENDED.test(text) || cues.abandons.test(text)) return false;
  return turn.worked || (turn.user !== undefined && cues.fails.test(turn.user.text));
}

const MENDED =
  /(?<!\p{L})(?:fixed|passes|pass|passing|now|no longer|0 fail\p{L}*|used to|was|were|had|before|should|would|if|when|behoben|jetzt|mehr|wenn|corrigé|maintenant|si|corregido|ahora|corrigido|agora|se|corretto|ora|исправлено|теперь|если|was)(?!\p{L})|解決|修正し|已修复|고쳤|수정했/iu;

/** Offers nothing in particular. */
const POLITE =
  /(?:^|[\s,.;(])(?:let me know|anything else|feel free|happy to help|sag (?:einfach )?bescheid|ready for (?:the |your )?next|(?:bereit|fertig) für (?:die|den|das) nächste\p{L}*|prête? pour (?:la suite|la prochaine|le prochain)|list[oa]s? para (?:la|el) (?:siguiente|próxim[oa])|pront[oa]s? para (?:a|o) próxim[oa]|pront[oaie] per (?:la|il) prossim[oa]|готов\p{L}* к следующ\p{L}+|n['’]hésite[zs]?|avísame|não hesite|fammi sapere|дайте знать)(?![\p{L}])|お知らせください|次の(?:タスク|作業)に進む準備|准备好(?:进行|开始)?下一|随时告诉|다음 (?:작업|단계)(?:을|를|으로)? ?(?:할 |갈 )?준비|알려 ?주세요/iu;

/** Asked lately, and the person went on to something else without a yes or a no. */
function isUnanswered(text: string, { next, age, later, cues }: DigestPlace): boolean {
  if (POLITE.test(text)) return false;
  if (age === 0) return true;
  if (age > OFFER_REACH || !offers(text)) return false;
  // Offered again, it is open or answered there.
  const names = entitiesIn(text);
  if (later.some((offer) => [...entitiesIn(offer)].some((name) => names.has(name)))) return false;
  const reply = next?.text ?? '';
  const answers = cues.accepts.test(reply) || cues.rejects.test(reply) || reply.length < 25;
  const named = [...contentWords(reply)].some((word) => text.toLowerCase().includes(word));
  return !answers && !named;
}

/** Heads a list of changes. */
const CHANGES =
  /(?<![\p{L}])(?:chang(?:es?|ed)|modified|fix(?:es|ed)?|added|implemented|updated|removed|created|completed|done|what (?:i|we) did|what was (?:done|changed)|änderungen|geändert|erledigt|umgesetzt|modifications?|changements|cambios|hecho|alterações|mudanças|modifiche|изменения|сделано)(?![\p{L}])|変更|修正|対応|更改|修改|完成|변경/iu;

/** Heads a list of unchanged things. */
const LEFT =
  /(?<![\p{L}])(?:still|not|un(?:changed|related|touched|committed)|nicht|noch|pas|encore|todavía|aún|não|ainda|non|ancora|не|ещё)(?![\p{L}])|まだ|未|没|尚/iu;

/** An agent that takes something back, or one thing instead of another. */
const TURNS =
  /(?<![\p{L}])(?:instead of|rather than|no longer|you['’]re right|you are right|from now on|i['’]ll (?:shift|change|switch|stop|drop|revise|adjust))(?![\p{L}])/iu;

/** Names the commit or the pull request that it ended in. */
const RECORDED =
  /(?<![\p{L}])(?:commit|merge|pull request|PR|MR)\b.{0,20}?(?:`[0-9a-f]{7,40}`|https:\/\/\S+\/(?:pull|merge_requests|commit)\/)/iu;

export function sectionOfAgent(act: Act, text: string, { cues }: DigestPlace): LineSection {
  if (act === 'done') return 'completed';
  if (act === 'open') return cues.blocks.test(text) ? 'blockers' : 'pending';
  if (cues.abandons.test(text)) return 'dropped';
  return act === 'changed' && !cues.fails.test(text) ? 'decisions' : 'facts';
}
