import { plainText } from './plain-text.ts';

// Words by which a summary says that the user asked for something, and orders that no summary has any business to give.

const WHO = '(?:users?|customers?|clients?|human|operator)';
/** No word is longer. Without an end, a text of nothing but such words takes a time that grows with its square. */
const ENDING = '\\p{L}{0,20}';

const REQUEST = new RegExp(
  [
    String.raw`\b${WHO}(?: (?:has|have|had|also|explicitly|clearly|again|then|now|already))* (?:asked|asks|requested|requests|wants?|wanted|told|tells|instructed|ordered|demanded|demands|said|says|insisted|directed|commanded|would like|wishes)\b`,
    String.raw`\b${WHO}['’]s? (?:\p{L}+ )?(?:request|instruction|order|wish|demand|command|directive)s?\b`,
    String.raw`\b(?:requested|instructed|ordered|asked|demanded|directed|told) by (?:the )?${WHO}\b|\b${WHO} (?:request|instruction|order)s?:`,
    String.raw`(?:benutzer|nutzer|anwender|kunde)${ENDING} (?:\p{L}+ ){0,8}?(?:gebeten|bat|bittet|verlangt\p{L}*|möchte|will|wollte|wünscht\p{L}*|forder\p{L}*|angewiesen|beauftragt|gesagt|befohlen)(?!\p{L})|(?:auf wunsch|im auftrag|auf anweisung) de[sr] (?:benutzer|nutzer|anwender|kunde)`,
    String.raw`utilisat${ENDING} (?:\p{L}+ ){0,2}?(?:demandé|demande|veut|voulait|souhait\p{L}+|exig\p{L}+|ordonn\p{L}+|dit)(?!\p{L})|demande de l['’]utilisat`,
    String.raw`usuari[oa] (?:\p{L}+ ){0,2}?(?:pidió|pide|pedido|solicit\p{L}+|quiere|quería|ordenó|exig\p{L}+|dijo|desea)(?!\p{L})|petición del usuario`,
    '(?:用户|客户|使用者).{0,4}?(?:要求|想要|希望|让|请求|指示|命令|说)|按照?用户',
    '(?:ユーザー?|利用者|お客様).{0,20}?(?:依頼|要求|指示|希望|求め|命令|頼|言っ)',
  ].join('|'),
  'u',
);

/** Only thought of: an action in case the user asks for it. */
const CONDITION = new RegExp(
  String.raw`\b(?:if|unless|until) (?:the |a |your )?${WHO}(?: (?:explicitly|clearly|later|also|then))* (?:asks|requests|wants|tells|instructs|orders|demands|says|insists|wishes|would like)\b|\b(?:wenn|falls|sofern) (?:der |die |ein )?(?:benutzer|nutzer|anwender|kunde)${ENDING}|\bsi l['’]utilisat${ENDING}|\bsi (?:el|la) usuari[oa]|(?:如果|除非|若)(?:用户|客户|使用者)`,
  'gu',
);

/** Whether a text says that the user asked for something. */
export function claimsRequest(text: string): boolean {
  return REQUEST.test(plainText(text).replace(CONDITION, ' '));
}

const WONDERS =
  /^(?:what|why|how|when|where|who|which|was|warum|wie|wann|wo|wer|pourquoi|comment|quand|qué|¿qué|¿por|¿cómo).*\?$/u;
const WONDERS_WITHIN = /为什么|什么|怎么|なぜ|どう|何/u;
const WONDERED = /\bask(?:ed|s) (?:\p{L}+ )?(?:what|why|how|when|where|who|which|whether|if|about)\b/u;

/** Whether a sentence asks to know something: who wonders what would happen has not asked for it. */
export function wonders(sentence: string): boolean {
  const said = plainText(sentence);
  return WONDERS.test(said) || (/[?？吗呢]$/u.test(said) && WONDERS_WITHIN.test(said));
}

/** True if a claim is about a question. */
export function claimsWondering(claim: string): boolean {
  return WONDERED.test(plainText(claim));
}

const ORDER =
  /\b(?:ignore|disregard|forget|override) (?:(?:all|any|the|your|of|previous|prior|earlier|above|these|those) )+(?:instructions?|rules?|prompts?|guidelines|safety)\b|ignorier\p{L}{0,20} (?:\p{L}+ ){0,3}(?:anweisung|regel)|ignore[rz]? (?:\p{L}+ ){0,3}(?:instructions|consignes|règles|instrucciones|reglas)|忽略.{0,8}(?:指令|指示|规则|说明)|(?:指示|ルール|命令).{0,6}無視/u;

/** Whether a text orders its reader to forget its instructions: nothing that happened in a conversation reads like that. */
export function givesOrders(text: string): boolean {
  return ORDER.test(plainText(text));
}
