import type { CueWords } from './choice-words.ts';

// Words by which people and agents say what came of something: see choice-words.ts.

/** Something stands in the way: it cannot go on before another thing happens. */
const blocks: CueWords = {
  en: "blocked (?:by|on|until)|blocker|(?:can(?:not|['’]t)|could(?: not|n['’]t)|unable to) [^.!?]{0,80}?(?:because|until|unless|as long as|:)|without [^.,]{2,50}? (?:i|we|nobody|it) can(?:not|['’]t)|can(?:not|['’]t) (?:proceed|continue|go on)|(?:permission|access) (?:was |is )?denied|(?:has|have) no (?:write |read |push )?access|no (?:write |read |push )?access to|(?:has|have)n['’]t (?:given|granted|got)(?: (?:me|us))? [^.]{0,30}?access|needs? (?:your (?:approval|input|decision|confirmation)|access to|credentials)|stuck (?:until|because)",
  de: 'blockiert|ohne [^.,]{2,50}? (?:kann|können|geht|komme|kommen) [^.!?]{0,60}?(?:nicht|kein\\p{L}*)|(?:kann|können|konnte) [^.!?]{0,80}?(?:nicht|kein\\p{L}*)[^.!?]{0,40}? (?:weil|bis|solange)|(?:zugriff|zugang) (?:wurde )?(?:verweigert|fehlt)|kein(?:en)? (?:zugriff|zugang)|keine (?:berechtigung|schreibrechte|zugangsdaten)',
  fr: "bloqué\\p{L}*|sans [^.,]{2,50}?,? (?:je ne peux|on ne peut|nous ne pouvons|impossible)|(?:ne peux|ne peut|ne pouvons) pas [^.!?]{0,80}?(?:parce qu|car |tant qu|avant)|tant qu['’e][^.!?]{2,60}? (?:ne |n['’])|accès refusé|pas (?:encore )?(?:l['’]|d['’])accès",
  es: 'bloquead[oa]s?|sin [^.,]{2,50}?,? no (?:puedo|podemos|puede|se puede)|no (?:puedo|podemos|pude|se puede) [^.!?]{0,80}?(?:porque|hasta|mientras)|hasta que [^.!?]{2,60}? no (?:puedo|podemos|se)|acceso denegado|no (?:tengo|tenemos) (?:acceso|permisos?)',
  pt: 'bloquead[oa]s?|sem [^.,]{2,50}?,? não (?:posso|podemos|pode|dá|consigo|conseguimos)|não (?:posso|podemos|consigo|dá para) [^.!?]{0,80}?(?:porque|até|enquanto)|enquanto não|acesso negado|não (?:tenho|temos) (?:acesso|permissão)',
  it: 'bloccat[oaie]|senza [^.,]{2,50}?,? non (?:posso|possiamo|può|si può|si)|non (?:posso|possiamo|riesco) [^.!?]{0,80}?(?:perché|finché|fino)|finché non|accesso negato|non (?:ho|abbiamo) (?:accesso|i permessi)',
  ru: 'заблокирован\\p{L}*|без [^.,]{2,50}? не (?:могу|можем|может|могут|получится|начать|начнём)|не (?:могу|можем|может|могут) [^.!?]{0,80}?(?:потому что|пока|так как|без)|пока не [^.!?]{2,60}?, (?:не |нельзя)|нет (?:доступа|прав)|отказано в доступе',
  ko: '막혀\\p{L}*|막혔\\p{L}*|없으면 [^.]{0,40}?(?:못|없|안)\\p{L}*|(?:아야|어야|와야|야) [^.]{0,30}?수 있\\p{L}*|권한이 없\\p{L}*|접근[^.]{0,10}?(?:거부|못)',
  spaceless:
    '(?:がない|しない|ない)と[^。]{0,30}(?:でき(?:ない|ません)|進め)|まで[^。]{0,30}(?:でき(?:ない|ません)|進められ)|権限が(?:ない|ありません|なく)|ブロックされ|(?:没有|没|不)[^。，]{1,20}[，,]?(?:就|也|都)?(?:不能|无法|没法)|无法[^。]{0,30}因为|因为[^。]{0,30}(?:无法|没法|不能)|卡(?:住|在)|没有权限|被拒绝',
};

/** Tried, and not gone on with. */
const abandons: CueWords = {
  en: "tried [^.!?]{2,140}?(?:but|didn['’]t|doesn['’]t|did not|failed|no luck|without success|horrible|worse)|(?:that|this|it|which|\\p{L}+) (?:didn['’]t|did not) (?:work(?: out)?|help)|dead end|gave up on|abandoned|dropped (?:that|this|the) idea|ruled (?:it |that |this )?out|made (?:it|things) worse|no improvement|decided against|we['’]re not doing that",
  de: '(?:versucht|probiert|ausprobiert|getestet),? (?:aber|das|doch|hat)|(?:versucht|probiert|ausprobiert)[^.!?]{0,80}? (?:nicht|schlecht|ohne erfolg)|(?:hat|haben) (?:leider |auch )?(?:nicht|nichts) (?:geklappt|funktioniert|geholfen|gebracht)|brachte nichts|verworfen|sackgasse|aufgegeben|das machen wir nicht',
  fr: "(?:essayé|tenté|testé)[^.!?]{0,120}?(?:mais|sans succès|rien)|n['’]a (?:pas|rien) (?:marché|fonctionné|donné|changé|aidé)|sans succès|abandonné\\p{L}*|écarté\\p{L}*|impasse",
  es: '(?:prob(?:é|amos|ado)|intent(?:é|amos|ado))[^.!?]{0,120}?(?:pero|no|sin éxito)|no (?:funcionó|sirvió|ayudó|ha funcionado)|sin éxito|abandonamos|abandonado',
  pt: '(?:tentei|tentamos|testei|testamos|experimentei)[^.!?]{0,120}?(?:mas|não|sem sucesso)|não (?:funcionou|ajudou|deu certo|resolveu)|sem sucesso|abandonamos|abandonado',
  it: '(?:provato|tentato)[^.!?]{0,120}?(?:ma|non|senza successo)|non (?:ha funzionato|è servito|ha aiutato)|senza successo|scartat\\p{L}+|abbandonat\\p{L}+',
  ru: '(?:пробовал|пытал)\\p{L}*[^.!?]{0,120}?(?:но|не|вернули)|не (?:помогло|сработало|вышло)|безуспешно|отказал\\p{L}+ от|отбросил\\p{L}*',
  ko: '(?:해 ?)?봤(?:지만|는데|으나|더니)|시도했(?:지만|으나|는데)|효과가 없\\p{L}*|소용없\\p{L}*|포기했\\p{L}*',
  spaceless:
    '試し(?:た|てみた|ました)(?:が|けど|けれど)|うまくいか(?:な|ず)|(?:だめ|ダメ)だった|効果(?:が|は)な|断念|见送|没有?效果|试(?:过|了)[^。]{0,40}(?:但|不行|失败|没|反而|改回)|放弃了|没用',
};

/** Does not work as it should. */
const fails: CueWords = {
  en: "fails?(?!-\\p{L})|failing|failed|broken|crash(?:es|ed|ing)?|does(?: not|n['’]t) (?:work|pass|compile|build)|not working|times? out|still red",
  de: 'schlägt fehl|schlagen fehl|fehlgeschlagen|fehlschlägt|ist (?:weiterhin |noch )?rot|funktioniert (?:noch )?nicht|kaputt|bricht ab|stürzt ab',
  fr: 'échou\\p{L}+|ne (?:marche|fonctionne|passe|compile) pas|en échec|plante',
  es: 'falla\\p{L}*|falló|no (?:funciona|pasa|compila)|roto|se cuelga',
  pt: 'falh\\p{L}+|não (?:funciona|passa|compila)|quebrad[oa]|quebrou',
  it: 'fallisc\\p{L}+|fallit\\p{L}+|non (?:funziona|passa|compila)|rott[oa]',
  ru: 'пада(?:ет|ют)|упал\\p{L}*|не (?:работает|проходит|компилируется|собирается)|слома\\p{L}+',
  ko: '실패\\p{L}*|깨\\p{L}*|안 ?됩니다|작동하지 않\\p{L}*|오류가 \\p{L}+',
  spaceless:
    '失敗し|落ち(?:る|て|ます)|動か(?:ない|ません)|通ら(?:ない|ません)|壊れ|失败|报错|不通过|跑不通|崩溃',
};

/** Findings, nothing included. */
const finds: CueWords = {
  en: "root cause|turns? out|(?:problem|issue|bug|reason|culprit|cause) (?:is|was)|because|nothing|nowhere|no (?:\\p{L}+ )?(?:match(?:es)?|results?|references?|usages?|callers?|mentions?)|(?:not|never|n['’]t) (?:\\p{L}+ )?(?:used|found|installed|referenced|set|called|exist|mentioned)|only (?:in|used|one)|none of",
  de: 'ursache|grund|liegt (?:an|daran)|weil|nirgend\\p{L}*|nichts (?:gefunden)?|keine? (?:\\p{L}+ )?(?:treffer|verwendung|stelle|fundstelle|hinweis)\\p{L}*|nicht (?:verwendet|gefunden|installiert|benutzt|vorhanden)',
  fr: "cause|raison|parce qu|vient d|nulle part|rien|aucun\\p{L}* (?:résultat|occurrence|trace|référence)|n['’](?:est|existe) pas",
  es: 'causa|motivo|porque|se debe a|en ningun[ao]? \\p{L}+|nada|ningún resultado|no (?:existe|se usa|hay|está instalad\\p{L}+|aparece)',
  pt: 'causa|motivo|porque|lugar nenhum|nada|nenhum\\p{L}* (?:resultado|ocorrência|referência)|não (?:existe|há|é usad\\p{L}+|está instalad\\p{L}+|aparece)',
  it: 'causa|motivo|perché|da nessuna parte|niente|nulla|nessun\\p{L}* (?:risultato|occorrenza|riferimento)|non (?:esiste|è usat\\p{L}+|è installat\\p{L}+|compare)',
  ru: 'причин\\p{L}+|потому что|из-за|нигде|ничего|ни одного|не (?:используется|найден\\p{L}*|установлен\\p{L}*|вызывается|встречается)',
  ko: '원인\\p{L}*|때문\\p{L}*|어디에도|없\\p{L}*|않\\p{L}*',
  spaceless:
    '原因|ため|からです|どこにも|見つかり|ありません|使われて|因为|由于|没有(?:找到|使用|发现|任何)|未(?:找到|使用|安装)|哪里都',
};

export const OUTCOME_WORDS = { blocks, abandons, fails, finds };
