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

// Words by which a summary claims an agreement, and words by which people agree. One list for each of the languages that
// sessions are mostly in; texts are matched in lower case. Lists are never complete, so their users have to err on the side
// of doubt.

const USER =
  /(?<!\p{L})(?:users?|customers?|clients?|human|operator|owner|requester|you|they|benutzer\p{L}*|nutzer\p{L}*|anwender\p{L}*|kund\p{L}*|utilisat\p{L}*|usuari[oa]s?|clientes?|utente|пользовател\p{L}*)(?!\p{L})|用户|客户|使用者|您|你|ユーザ|利用者|お客|사용자/u;

/** Claims an agreement without naming a person. */
const AGREED =
  /\b(?:approved|approves|approving|approval (?:was |has been |is )?(?:given|granted|received|obtained|from|of|for|by)|approval:|agreed|agrees|agreement (?:to|with|of the)|consent(?:s|ed)?|sign(?:ed|s|ing)? off|sign-?off (?:given|received|from|obtained|for)|green[- ]?li(?:ght|t)|go-?ahead|oka?y?(?:ed|['’]d)|ok['’]ed|thumbs[- ]up|blessing|said yes|says yes|answered yes|replied yes|nodded|gave (?:the |a |an |their |his |her )?(?:nod|ok|okay|permission|consent|approval|clearance|authori[sz]ation)|permission (?:was |has been |is )?(?:given|granted|received|obtained|from|to|for)|authori[sz]ed (?:to|the|by|a|an|deleting|\p{L}+ing)|authori[sz]es|authori[sz]ation (?:was |has been |is )?(?:given|granted|received|obtained|from|to|for)|cleared (?:\p{L}+ )?(?:to|for)|no objections?|did not object|not object|(?:is|are|was|were) (?:fine|ok|okay|happy|cool|good) with|no (?:further |more )?(?:approval|permission|confirmation|consent)|free to|may (?:now )?(?:delete|deploy|push|proceed|go ahead))\b|genehmig|zugestimmt|stimmte? .{0,80}\bzu\b|freigegeben|freigabe (?:erteilt|erhalten|von|für)|einverstanden|gebilligt|abgesegnet|eingewilligt|grünes licht|bewilligt|approuv|donné son accord|feu vert|d['’]accord|consenti|aprob[aóo]|aprobado|visto bueno|luz verde|de acuerdo|aprovou|aprovado|autorizou|approvato|одобр|разреши|соглас(?:ил|ен|на|ие)|批准|同意|授权|准许|答应|点头|放行|承認(?!待ち|が必要|され(?:てい)?な)|許可(?:を得|され(?!て?い?な)|が出|済|し)|同意|了承|承諾|認可|승인|허락|동의/u;

/** Says so only of a person who comes before it: programs allow, accept and confirm things all day. */
const DOES_AGREE =
  /\b(?:approv\p{L}*|confirm(?:ed|s|ation)|allow(?:ed|s)|permit(?:ted|s)|accept(?:ed|s)|authori[sz](?:ed|es)|endors(?:ed|es)|sanction(?:ed|s)|grant(?:ed|s)|(?:said|says) (?:ok|okay|fine)|consents?)\b|bestätig|erlaub|autorisier|akzeptier|abgenickt|zustimm|autoris|valid[éea]|accept[éa]|confirm[éaó]|permis|permiti|autoriz|acept|подтверд|允许|许可|确认|认可|許可|確認|認め|허가|확인/u;
const USER_AGREES = new RegExp(
  `(?:${USER.source}).{0,60}?(?:${DOES_AGREE.source})|(?:${DOES_AGREE.source}).{0,40}? (?:by|from|durch|vom|von|par|por) (?:\\p{L}+ )?(?:${USER.source})`,
  'u',
);

/** Asks for it, or says that it is not there. What stands in these words is no claim. */
const MISSING =
  /\b(?:needs?|await(?:s|ing)?|wait(?:s|ing)? (?:for|on)|ask(?:s|ed|ing)? for|requests?|requested|requir(?:es?|ing)|pending|without|until|lacks?|missing)\s+(?!no\b)(?:[\p{L}'’]+\s+){0,3}?(?:approv\p{L}*|permission|confirmation|consent|sign-?off|go-?ahead|authori[sz]ation)\b(?!,? (?:but|and|which|was|has))|(?<!\bno )(?<!\bno (?:further|more) )\b(?:approval|permission|confirmation|consent|sign-?off|go-?ahead|authori[sz]ation) (?:is |was |still )?(?:needed|required|pending|missing|outstanding|denied|refused)\b|\b(?:has|have|had|was|were|is|are|did|does|do)(?: not|n['’]t)(?: yet)?(?: been)? (?:approv|confirm|agre|authori|permit|allow|accept|consent|sign)\p{L}*|\bnot (?:yet )?(?:approved|confirmed|authori[sz]ed|permitted|allowed)|\bnever (?:approved|agreed|confirmed|authori[sz]ed)|\bunauthori[sz]ed|\bpermission denied|\bdisapprov\p{L}*|\bdisagree\p{L}*|nicht (?:genehmigt|zugestimmt|freigegeben|bestätigt|erlaubt|einverstanden)|(?:wartet|warten) auf (?:\p{L}+ )?(?:freigabe|genehmigung|bestätigung)|n['’](?:a|est) pas (?:approuv|autoris|confirm|valid)\p{L}*|no (?:ha |fue |está )?(?:aprob|autoriz|confirm)\p{L}*|не (?:одобр|разреш|подтверд|соглас)\p{L}*|[未没不][\p{Script=Han}]?(?:批准|同意|授权|允许|确认)|(?:需要|等待).{0,6}(?:批准|同意|授权|确认)|承認待ち|(?:承認|許可)が必要|(?:승인|허가)(?:이)? (?:필요|대기)/gu;

/** True if a text claims an agreement by the user, or by an unnamed person. */
export function claimsApproval(text: string): boolean {
  const said = plainText(text).replace(MISSING, ' ');
  return AGREED.test(said) || USER_AGREES.test(said);
}

const YES =
  /(?<!\p{L})(?:yes|yep|yup|yeah|ok|okay|sure|go ahead|go on|go for it|proceed|do it|do that|do so|please do|of course|absolutely|definitely|approved?|agreed?|confirm(?:ed)?|fine|sounds good|looks good|lgtm|works for me|allowed|you may|you can|permission|granted|authori[sz]ed?|ship it|make it so|let['’]?s do|perfect|great|ja|jawohl|klar|gerne|mach (?:das|es|mal|weiter)|einverstanden|genehmigt|passt|freigegeben|bestätigt?|erlaubt|oui|d['’]accord|vas-y|allez-y|approuv\p{L}+|c['’]est bon|je confirme|j['’]autorise|sí|si|vale|de acuerdo|adelante|hazlo|apruebo|confirmo|claro|autorizo|sim|pode|aprovado|va bene|procedi|да|хорошо|согла\p{L}+|разрешаю|одобряю|подтверждаю|давай|네|예|좋아\p{L}*|승인\p{L}*|동의\p{L}*|진행\p{L}*)(?!\p{L})|好|可以|同意|批准|没问题|确认|是的|继续|授权|允许|行[，。！]?$|はい|いいよ|いいです|お願いします|承認|了解|どうぞ|許可|構いません|進めて/u;
const EVERY_YES = new RegExp(YES, 'gu');
const NO =
  /(?<!\p{L})(?:no|not|never|nope|don['’]?t|do not|won['’]t|can['’]?t|cannot|stop|wait|unless|until|nein|nicht|kein\p{L}*|erst|warte|non|pas|ne|jamais|nunca|espera|não|нет|не|아니\p{L}*|안)(?!\p{L})|n['’]t(?!\p{L})|不|别|勿|未|没有|いいえ|ないで|ません|だめ|止め/u;

/** True if these words agree. */
export function consents(clause: string): boolean {
  return YES.test(plain(clause)) && !refuses(clause);
}

/** Whether there is a no in it, or a wait. */
export function refuses(clause: string): boolean {
  return NO.test(plain(clause));
}

/** What else is said besides the yes. */
export function withoutYes(clause: string): string {
  return plain(clause).replace(EVERY_YES, ' ');
}

function plain(text: string): string {
  return plainText(text).replace(/没问题|no problem|why not|不错/gu, ' yes ');
}

const WISH =
  /(?<!\p{L})(?:please|let['’]?s|let us|i want|i['’]?d like|i would like|go with|we(?:['’]ll| will| should)|bitte|lass uns|nehmen wir|ich möchte|ich will|je veux|on va|s['’]il (?:te|vous) plaît|por favor|quiero|vamos a|пожалуйста|хочу)(?!\p{L})|^(?:use|take|choose|pick)(?!\p{L})|请|帮我|我想|我要|ください|お願い|ましょう|たい(?:です)?[。.]?$/u;

/** True if these words ask for the action. */
export function wishes(clause: string): boolean {
  const said = plain(clause);
  return WISH.test(said) && !NO.test(said) && !/[?？]\s*$/.test(said);
}
