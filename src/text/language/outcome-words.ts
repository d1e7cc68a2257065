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

// Words by which a text says that something happened which leaves a trace, a run or a report of one: see choice-words.ts.

const saysTested: CueWords = {
  en: '(?:tests?|specs?|test suites?|suites?)(?: \\p{L}+){0,4}? (?:(?:all |now |still )*pass(?:es|ed|ing)?|succeed(?:s|ed)?|ran|(?:is|are|was|were|went|stays?|stayed|remains?|been) (?:all |now |still |again |\\p{L}+ly )*(?:green|run|executed|passed))|(?:ran|re-?ran|executed|passed|passes) (?:all |the |its |every |both )*(?:\\p{L}+ ){0,3}?(?:tests?|suites?|specs?)|green tests|tests? green',
  de: '(?:\\p{L}*tests?|testlauf|testsuite)(?: \\p{L}+){0,4}? (?:bestanden|bestehen|grün|ausgeführt|gelaufen|durchgelaufen|erfolgreich|durch)|(?:grüne|bestandene) tests',
  fr: 'tests?(?: \\p{L}+){0,4}? (?:passent|passés?|réussis?|réussissent|verts?|exécutés?|lancés?)|(?:exécuté|lancé|passé) (?:tous )?les tests',
  es: '(?:pruebas?|tests?)(?: \\p{L}+){0,4}? (?:pasan|pasaron|pasad[oa]s|verdes?|en verde|ejecutad[oa]s|ejecutaron|superad[oa]s)|(?:ejecut(?:é|amos|aron|ó)|pasaron|se ejecutaron) (?:tod[oa]s )?(?:las |los )?(?:pruebas|tests)',
  pt: 'testes?(?: \\p{L}+){0,4}? (?:passam|passaram|verdes?|executados|rodaram|aprovados)|(?:executei|executamos|rodei|rodamos|passaram) (?:todos )?os testes',
  it: 'test(?: \\p{L}+){0,4}? (?:passano|passati|superati|verdi|eseguiti|riusciti)|(?:eseguito|eseguiti|superati) (?:tutti )?i test',
  ru: 'тест\\p{L}*(?: \\p{L}+){0,4}? (?:прошл\\p{L}+|проходят|пройден\\p{L}*|зел[её]н\\p{L}+|запущен\\p{L}*|выполнен\\p{L}*|успешн\\p{L}+)|(?:прошли|запустил\\p{L}*|прогнал\\p{L}*) (?:все )?тест\\p{L}*',
  ko: '테스트\\p{L}*(?: \\p{L}+){0,3}? (?:통과\\p{L}*|성공\\p{L}*|실행(?:했|됐|되었|하였)\\p{L}*)',
  spaceless:
    'テスト[^。]{0,12}?(?:合格|通過|通った|通りま|成功|パスし|グリーン|実行し(?:た|ました)|実行済)|测试[^。]{0,10}?(?:通过|成功|跑完|跑过|运行过|执行过|全绿)|已(?:经)?(?:运行|执行|跑)[^。]{0,6}测试|(?:运行|执行|跑)了[^。]{0,6}测试',
};

const saysBuilt: CueWords = {
  en: '(?:builds?|compilation|ci|pipelines?)(?: \\p{L}+){0,3}? (?:(?:is|was|are|went|stays) (?:now |all |again )*(?:green|clean|successful|passing)|pass(?:es|ed)|succeed(?:s|ed))|(?:compiles|builds|compiled|built) (?:now |again )*(?:without (?:any )?(?:errors?|warnings?)|cleanly|successfully)',
  de: '(?:build|kompilierung|pipeline|ci)(?: \\p{L}+){0,4}? (?:grün|erfolgreich|durchgelaufen|fehlerfrei)|(?:kompiliert|baut) (?:jetzt |wieder )?(?:fehlerfrei|ohne fehler|sauber)',
  fr: '(?:build|compilation|pipeline|ci)(?: \\p{L}+){0,4}? (?:verte?|passe|réussie?)|compile (?:sans erreurs?|correctement)',
  es: '(?:build|compilación|pipeline|ci)(?: \\p{L}+){0,4}? (?:verde|pasa|pasó|exitosa|correcta)|compila (?:sin errores|correctamente)',
  pt: '(?:build|compilação|pipeline|ci)(?: \\p{L}+){0,4}? (?:verde|passa|passou|bem-sucedid[oa])|compila (?:sem erros|corretamente)',
  it: '(?:build|compilazione|pipeline|ci)(?: \\p{L}+){0,4}? (?:verde|passa|passata|riuscit[oa])|compila (?:senza errori|correttamente)',
  ru: 'сборк\\p{L}+(?: \\p{L}+){0,3}? (?:прошла|зел[её]н\\p{L}+|успешн\\p{L}+|проходит)|(?:собирается|компилируется) без ошибок',
  ko: '빌드\\p{L}*(?: \\p{L}+){0,2}? (?:성공\\p{L}*|통과\\p{L}*)',
  spaceless:
    'ビルド[^。]{0,10}?(?:成功|通過|通った|通りま|グリーン)|(?:构建|编译)[^。]{0,8}?(?:成功|通过|绿)',
};

const saysDeployed: CueWords = {
  en: '(?:was|were|been|is|are|i|we|now|got|and|successfully) (?:deployed|rolled out|published|shipped)|^(?:deployed|published|shipped|rolled out)|(?:deployed|rolled out|published|shipped|released) (?:it |them |the \\p{L}+ )?(?:to|on|as)|released (?:as |version |v)\\d\\S*|went live|(?:is|are) (?:now )?live(?= (?:in|on|for|at|since)|[.,;!]|$)',
  de: 'deployt|ausgerollt|veröffentlicht|ausgeliefert|live gegangen|(?:ist|sind) (?:jetzt )?live|in produktion (?:gebracht|genommen|gegangen)',
  fr: 'déployée?s?|mise?s? en (?:production|ligne)|publiée?s?',
  es: 'desplegad[oa]s?|desplegó|desplegamos|desplegué|publicad[oa]s?|publicó|puest[oa]s? en producción',
  pt: 'implantad[oa]s?|publicad[oa]s?|colocad[oa]s? em produção|implantei|publiquei',
  it: 'pubblicat[oaie]|rilasciat[oaie]|(?:mess|andat)[oaie] in produzione',
  ru: 'разв[её]рнут\\p{L}*|задеплоен\\p{L}*|выкачен\\p{L}*|выложен\\p{L}*|опубликован\\p{L}*|выпущен\\p{L}*|выкатил\\p{L}*|задеплоил\\p{L}*',
  ko: '(?:배포|출시|게시)(?:했|됐|되었|하였)\\p{L}*|(?:배포|출시) 완료\\p{L}*',
  spaceless:
    '(?:デプロイ|リリース|公開|出荷)(?:し(?:た|ました)|済み|され(?:た|ました)|完了)|(?:已(?:经)?|被)(?:部署|发布|上线)|(?:部署|发布|上线)(?:了|完成|成功)',
};

const saysMerged: CueWords = {
  en: '(?:pull requests?|prs?|mrs?|branch\\p{L}*|it|changes?|fix|commits?|work)(?: \\p{L}+){0,3}? merged|merged (?:it |them |the (?:branch|pr|pull request|changes?|fix) |\\p{L}+ )?(?:into|to (?:main|master|trunk)|in main)|^merged',
  de: 'gemergt|gemerged|zusammengeführt',
  fr: 'fusionnée?s?|mergée?s?',
  es: 'fusionad[oa]s?|mergead[oa]s?|fusionó|fusioné',
  pt: 'mesclad[oa]s?|mergead[oa]s?',
  it: 'mergiat[oaie]|(?:unit|integrat)[oaie] (?:in|nel|nella) (?:main|master|ramo)',
  ru: 'смер[жд]\\p{L}+|слит[аоы]?|влит[аоы]?',
  ko: '(?:병합|머지)(?:했|됐|되었|하였)\\p{L}*',
  spaceless: 'マージ(?:し(?:た|ました)|済み|され(?:た|ました)|完了)|(?:已(?:经)?|被)合并|合并(?:了|完成|到)',
};

const saysPushed: CueWords = {
  en: '(?:was|were|been|are|is|i|we|and|committed and) pushed|pushed (?:it |them |everything |the \\p{L}+ )?to|^pushed',
  de: 'gepusht',
  fr: 'poussée?s? (?:sur|vers)|pushée?s?',
  es: 'pushead[oa]s?|subid[oa]s? (?:a|al) (?:origin|remoto|repositorio|github)',
  pt: 'pushad[oa]s?|enviad[oa]s? (?:para o|ao) (?:origin|remoto|repositório|github)',
  it: 'pushat[oaie]|caricat[oaie] (?:su|sul) (?:origin|github|repository)',
  ru: 'запушен\\p{L}*|запушил\\p{L}*',
  ko: '푸시(?:했|됐|되었|하였)\\p{L}*',
  spaceless: 'プッシュ(?:し(?:た|ました)|済み|され(?:た|ました)|完了)|已(?:经)?推送|推送(?:了|完成|到)',
};

const saysVerified: CueWords = {
  en: '(?:was|were|been|is|are|i|we|successfully|manually|and) (?:\\p{L}+ly )?verified|^verified|verified (?:that|by|in|on|against|manually)|(?:checked|tested) (?:it )?(?:manually|by hand|in (?:staging|production|the browser))',
  de: 'verifiziert|(?:manuell|von hand|im browser) (?:geprüft|getestet)',
  fr: "(?:a été|ont été|est|sont|j[’']ai|avons) (?:bien )?vérifiée?s?",
  es: '(?:fue|fueron|está|he|hemos|ha sido) (?:verificad|comprobad)[oa]s?|verifiqué|se verificó',
  pt: '(?:foi|foram|está) verificad[oa]s?|verifiquei|verificamos',
  it: '(?:è stat[oa]|ho|abbiamo) verificat[oaie]',
  ru: '(?:был\\p{L}* )?проверен[аоы]?|проверил\\p{L}*',
  ko: '(?:검증|동작 확인)(?:했|됐|되었|하였)\\p{L}*',
  spaceless:
    '(?:検証|動作確認)(?:し(?:た|ました)|済み|され(?:た|ました)|完了)|已(?:经)?(?:验证|核实)|(?:验证|核实)(?:了|通过)',
};

const saysDocumented: CueWords = {
  en: '(?:docs?|documentation|readme|changelog)(?: \\p{L}+){0,3}? (?:was|were|is|are|has been|have been) (?:also |now )?(?:updated|written|added|extended|adjusted|changed)|(?:updated|extended|adjusted|wrote) (?:the )?(?:\\p{L}+ )?(?:docs?|documentation|readme|changelog)',
  de: '(?:doku\\p{L}*|readme|changelog)(?: \\p{L}+){0,3}? (?:aktualisiert|ergänzt|angepasst|geschrieben|erweitert)',
  fr: '(?:documentation|doc|readme|changelog)(?: \\p{L}+){0,3}? (?:mise? à jour|complétée?|écrite?|adaptée?)',
  es: '(?:documentación|readme|changelog)(?: \\p{L}+){0,3}? (?:actualizad[oa]|ampliad[oa]|escrit[oa])|(?:actualicé|se actualizó|he actualizado) (?:la |el )?(?:documentación|readme|changelog)',
  pt: '(?:documentação|readme|changelog)(?: \\p{L}+){0,3}? (?:atualizad[oa]|ampliad[oa]|escrit[oa])|(?:atualizei|foi atualizad[oa]) (?:a |o )?(?:documentação|readme|changelog)',
  it: '(?:documentazione|readme|changelog)(?: \\p{L}+){0,3}? (?:aggiornat[oa]|estes[oa]|scritt[oa])|aggiornat[oa] (?:la |il )?(?:documentazione|readme|changelog)',
  ru: '(?:документаци\\p{L}+|readme|changelog)(?: \\p{L}+){0,3}? (?:обновл[её]н\\p{L}*|дополнен\\p{L}*|написан\\p{L}*)|(?:обновил|дополнил)\\p{L}* (?:документаци\\p{L}+|readme|changelog)',
  ko: '(?:문서|readme|changelog)\\p{L}*(?: \\p{L}+){0,2}? (?:업데이트|수정|갱신|작성)(?:했|됐|되었|하였)\\p{L}*',
  spaceless:
    '(?:ドキュメント|文書|readme|changelog)[^。]{0,8}?(?:更新|追記|修正|作成)(?:し(?:た|ました)|済み|され)|(?:文档|说明|readme|changelog)[^。]{0,4}?已(?:经)?(?:更新|补充|修改|编写)|已(?:经)?(?:更新|补充|修改|编写)(?:了)?(?:文档|说明|readme|changelog)|(?:更新|补充)了(?:文档|说明|readme|changelog)',
};

const saysOpened: CueWords = {
  en: '(?:pull request|merge request|pr|mr|issue|ticket)(?: \\p{L}+){0,3}? (?:was|were|is|has been|have been) (?:now )?(?:opened|created|filed|submitted)|(?:opened|created|filed|submitted) (?:a |the |an )?(?:\\p{L}+ )?(?:pull request|merge request|pr|mr|issue|ticket)',
  de: '(?:pull request|merge request|pr|issue|ticket)(?: \\p{L}+){0,4}? (?:erstellt|geöffnet|angelegt|eröffnet|aufgemacht)',
  fr: '(?:pull request|merge request|pr|ticket|issue)(?: \\p{L}+){0,3}? (?:ouverte?|créée?)|(?:ouvert|créé) (?:une? )?(?:pull request|merge request|pr|ticket|issue)',
  es: '(?:pull request|merge request|pr|issue|ticket)(?: \\p{L}+){0,3}? (?:abiert[oa]|cread[oa])|(?:abrí|abrió|creé|abierto|creado) (?:una? |el |la )?(?:pull request|merge request|pr|issue|ticket)',
  pt: '(?:pull request|merge request|pr|issue|ticket)(?: \\p{L}+){0,3}? (?:abert[oa]|criad[oa])|(?:abri|criei) (?:uma? |o |a )?(?:pull request|merge request|pr|issue|ticket)',
  it: '(?:pull request|merge request|pr|issue|ticket)(?: \\p{L}+){0,3}? (?:apert[oa]|creat[oa])|(?:aperto|aperta|creato|creata) (?:una? |il |la )?(?:pull request|merge request|pr|issue|ticket)',
  ru: '(?:pull request|merge request|pr|тикет|задача|запрос на слияние)(?: \\p{L}+){0,3}? (?:открыт\\p{L}*|создан\\p{L}*)|(?:открыл|создал)\\p{L}* (?:pull request|merge request|pr|тикет|запрос на слияние)',
  ko: '(?:pull request|pr|풀 ?리퀘스트|이슈|티켓)\\p{L}*(?: \\p{L}+){0,2}? (?:열었|생성했|만들었|올렸)\\p{L}*',
  spaceless:
    '(?:プルリクエスト|プルリク|pr|イシュー|チケット)を(?:作成|オープン|出し|開い)(?:し)?(?:た|ました)|(?:已(?:经)?)(?:创建|提交|打开)(?:了)?(?:pull request|pr|合并请求|工单)|(?:pull request|pr|合并请求|工单)已(?:经)?(?:创建|提交|打开)',
};

export const EVENT_WORDS = {
  saysTested,
  saysBuilt,
  saysDeployed,
  saysMerged,
  saysPushed,
  saysVerified,
  saysDocumented,
  saysOpened,
};
