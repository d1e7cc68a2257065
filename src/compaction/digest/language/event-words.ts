import type { CueWords } from './choice-words.ts';

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
