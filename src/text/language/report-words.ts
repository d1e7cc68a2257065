import type { CueWords } from './choice-words.ts';

// Words by which people and agents report open, promised, done or merely considered work: see choice-words.ts.

/** "They remind me of home" asks for nothing; "please remind me of the call" does. */
export const REMIND_ME =
  'remind (?:me|us)(?! of)|(?<=^\\P{L}*|[.,;:!?–—-] ?|(?:please|also|and|then|(?:can|could|would|will) you) )remind (?:me|us) of';

/** Left for later, promised, or not known. */
const leavesOpen: CueWords = {
  en: `${REMIND_ME}|i(?:['’]ll| will| have to| need to| still (?:have|need) to|['’]m going to| must) (?:ask|check|do|write|call|find|look|talk|send|tell|confirm|prepare|bring|figure|get back|think|try|test|review|finish|fix|see)|no idea|don['’]t (?:remember|know)|not sure|unclear|undecided|outstanding|to ?be (?:done|decided|confirmed|clarified)|tbd|todo(?= ?:)|to-do|to do|still (?:open|missing|need(?:s|ed)?|to (?:do|be|check|verify|decide)|unclear|unknown|waiting|pending|have to|failing|fails|broken)|(?:is|are|remains?|stays?|left|leave it|keep it|keep that|that['’]s|stands?) (?:as an )?open|open (?:questions?|points?|items?|issues?)|wait(?:ing|s)? (?:for|on)|let you know|will (?:try|check|ask)(?: it| that)?(?=[.,;!]|$)|(?:title|question|topic|point|date|name)s? open|pending|not (?:yet|done yet|committed|decided|implemented|tested|verified|started|finished)|(?:has|have|is|are)n['’]t (?:been )?(?:\\p{L}+ed|done|written) yet|needs? to be|remaining|all that remains|uncommitted|next (?:steps?|week|we|up|i)|tomorrow|later|follow[- ]?up|parked|on hold|blocked|until i know|get back to`,
  de: 'erinner(?!t mich)\\p{L}* mich|fehl(?:t|en) (?:(?:mir|uns|dir|euch|ihm|ihr) )?noch|fehl(?:t|en) (?:mir|uns)|noch (?:offen|nicht|unklar|zu klären|klären)|offen|ich frag\\p{L}*|kläre ich|klär\\p{L}*|keine ahnung|weiß (?:ich )?nicht|weiss (?:ich )?nicht|steht (?:noch )?aus|ausstehend|morgen|nächste woche|später|muss (?:ich )?noch|warte\\p{L}* (?:noch )?auf|meldet sich nicht|nicht zu erreichen|unentschieden|mache ich|ich (?:melde mich|sage? (?:dir|euch|ihnen)|schau\\p{L}* nach|ruf\\p{L}* [^.!?]{1,30} an)|bescheid|wiedervorlage|nachfragen|vormerken|merke (?:ich )?vor',
  fr: "rappelle|rappeler|je dois|doit me répondre|j['’]en sais rien|je ne sais pas|aucune idée|en attente|reste à|restent à|il reste|à (?:voir|faire|confirmer|vérifier|trancher|décider)|je (?:te|vous) (?:dis|redis|tiens|rappelle|confirme)|je (?:demande|demanderai|vérifie|vais demander|lui demande|regarde|verrai)|demain|la semaine prochaine|plus tard|pas encore|en suspens|ouvert(?:e)?s?|question ouverte|on attend|j['’]attends",
  es: 'recuérdame|recordarme|te lo recuerdo|lo pregunto|preguntar[ée]?|pendientes?|ni idea|no (?:lo )?sé|falta(?:n)?|por (?:ver|hacer|decidir|confirmar)|mañana|la semana que viene|más tarde|todavía no|aún no|queda(?:n)? (?:abiert\\p{L}+|por|pendiente)|abiert[oa]s?|(?:l[oa]s? )(?:miro|consulto|reviso|pregunto|busco|compruebo)|(?:te|os|le) (?:digo|aviso|cuento|confirmo|llamo)|esperando|espero (?:respuesta|a que)|tengo que',
  pt: 'lembra-me|me lembr\\p{L}+|vou (?:perguntar|ver|verificar|falar)|pendentes?|não (?:sei|faço ideia)|falta(?:m)?|por (?:fazer|decidir|confirmar)|amanhã|semana que vem|próxima semana|mais tarde|ainda não|em aberto|aguardando|esperando|(?:te|lhe) (?:aviso|digo|falo|conto|ligo)|(?:aviso|ligo|pergunto|falo) (?:você|vocês|para|pra|com|a)|tenho que|preciso (?:de )?(?:ver|perguntar|avisar|falar|ligar|mandar)',
  it: 'ricordami|chiedo|chiederò|in sospeso|non (?:lo )?so|nessuna idea|manca(?:no)?|da (?:fare|decidere|verificare|confermare|vedere)|domani|settimana prossima|più tardi|non ancora|(?:ti|vi|le) (?:dico|faccio sapere|aggiorno|richiamo)|(?:guardo|controllo|chiamo) io|apert[oaie]|in attesa|devo (?:ancora|chiedere|verificare)|aspett[oi]|più avanti',
  ru: 'напомни\\p{L}*|спрошу|узнаю|уточню|проверю|не знаю|без понятия|понятия не имею|ещё не|еще не|пока не(?! \\p{L}+(?:й|йте|ь|ьте)(?!\\p{L}))|осталось|оста[её]тся (?:только |ещё |еще )?\\p{L}+(?:ть|ти)|надо (?:ещё |еще |будет |бы )?(?:узна|спрос|уточн|провер|позвон|куп|заказ|реш|выясн|напис)\\p{L}+|позвоню|напишу|закажу|напомню|выясню|открыт\\p{L}*|под вопросом|завтра|на следующей неделе|позже|жд[уё]\\p{L}*|ожида\\p{L}+|надо будет|не решен\\p{L}*',
  ko: '여쭤\\p{L}*|여쭙\\p{L}*|알아(?:봐야|볼게|보겠|봤)\\p{L}*|정해지지 않\\p{L}*|안 정\\p{L}*|알려\\p{L}* ?줘|상기\\p{L}*|물어\\p{L}*|모르겠\\p{L}*|미정|보류|아직|남은|남았\\p{L}*|내일|다음 ?주|나중에|확인해 ?볼\\p{L}*|기다리\\p{L}*',
  spaceless:
    '聞いてみ|聞いておく|確認し(?:ておく|てみ|ます)|保留(?:に|中|で|と|の)|明日|来週|後で|あとで|未定|まだ|リマインド|思い出させ|わからない|分からない|知らない|残って|残り|待ち|検討|忘れないように|提醒我|我去问|我问|待定|待办|还没|尚未|不知道|不清楚|明天|下周|以后|稍后|未完成|等(?:他|她|待|回复)|剩下|没想好|아직|보류|미정|나중에|내일|다음 ?주',
};

/** Words for work that is still to be done or to be asked about: more than a word about the time. */
const promises: CueWords = {
  en: "remind|ask|i(?:['’]ll| will)|no idea|don['’]t (?:remember|know)|open|undecided|outstanding|waiting|pending|todo(?= ?:)|to-do|follow[- ]?up|remains?|remaining|first|want to|not (?:yet|done|committed|\\p{L}+ yet)|still|needs?|missing|needed",
  de: 'erinner\\p{L}*|frag\\p{L}*|klär\\p{L}*|keine ahnung|weiß nicht|offen|aussteh\\p{L}*|fehlt|fehlen|steht aus|warte\\p{L}*|will ich|möchte ich|zuerst|noch',
  fr: "rappel\\p{L}*|demand\\p{L}*|je dois|répondre|sais rien|sais pas|attente|reste|suspens|ouvert\\p{L}*|trancher|confirmer|vérif\\p{L}*|attend\\p{L}*|d['’]abord|je veux|encore",
  es: 'recu[eé]rd\\p{L}*|pregunt\\p{L}*|pendiente\\p{L}*|ni idea|no (?:lo )?sé|falta\\p{L}*|abiert\\p{L}*|miro|consulto|esper\\p{L}*|quiero|primero|todavía|aún',
  pt: 'lembr\\p{L}*|pergunt\\p{L}*|pendente\\p{L}*|não sei|falta\\p{L}*|aberto|verific\\p{L}*|aguard\\p{L}*|esper\\p{L}*|avis\\p{L}*|quero|primeiro|ainda',
  it: 'ricord\\p{L}*|chied\\p{L}*|sospeso|non (?:lo )?so|manca\\p{L}*|apert\\p{L}*|verific\\p{L}*|attesa|aspett\\p{L}*|più avanti|voglio|prima|ancora',
  ru: 'напомн\\p{L}*|спрош\\p{L}*|узна\\p{L}*|уточн\\p{L}*|провер\\p{L}*|не знаю|остал\\p{L}*|оста[её]тся|надо|позвон\\p{L}*|напиш\\p{L}*|закаж\\p{L}*|выясн\\p{L}*|открыт\\p{L}*|жд\\p{L}*|хочу|сначала|ещё|еще',
  ko: '여쭤\\p{L}*|여쭙\\p{L}*|알아\\p{L}*|나중에|정해지지|안 정\\p{L}*|알려\\p{L}*|상기|물어\\p{L}*|모르\\p{L}*|미정|보류|남\\p{L}*|확인|기다리\\p{L}*|아직|먼저',
  spaceless:
    '聞い|確認|保留(?:に|中|で|と|の)|未定|思い出|リマインド|わから|分から|残|待|検討|まず|まだ|提醒|问|待定|待办|没|不知道|不清楚|等|剩|先|尚未',
};

/** What an agent says that was done. */
const reports: CueWords = {
  en: "(?:i|we) (?:also |now |just |already )?(?!(?:need|feed|exceed|proceed|succeed|speed|embed)(?!\\p{L})|(?:need|want|tri|ask|expect|plann|hop|look|check|decid|agre|prefer|suggest|recommend|propos|assum|notic)e?d)(?:\\p{L}{2,}ed|made|built|wrote|ran|sent)|i(?:['’]ve| have) (?:also |now |just |already )?(?:\\p{L}{2,}ed|done|made|built|written|put|set|run|sent|found|split|cut)|(?:is|are|was|were|has been|have been) (?:now |all |also )?(?:done|fixed|in place|live|removed|added|updated|merged|pushed|committed|deployed|implemented|created|renamed|replaced|complete[d]?|installed|verified)|(?:is now|are now|was|were|has been|have been) (?:all |also )?\\p{L}{3,}ed|tests? (?:all )?pass(?:ed|es|ing)?|all (?:\\d+ )?(?:tests|checks) (?:pass|passed|green)|works now|now works|(?:answered|replied|confirmed|got back|wrote back|approved)|successfully|it works|(?:i['’]m )?closing (?:the|this|it)|[✅✔☑]",
  de: '(?:hat|haben|habe|ist|sind) (?:[\\p{L}\\d.-]+ ){0,4}\\p{L}*ge\\p{L}{2,}(?:t|en)|^\\p{L}+ \\p{L}*ge\\p{L}{2,}(?:t|en)(?=[,.!])|habe ich|ich habe|haben wir|wurden?|erledigt|fertig|ist jetzt|sind jetzt|läuft (?:jetzt|wieder)',
  fr: "a (?:répondu|confirmé|validé|accepté)|j['’]ai|nous avons|a été|ont été|c['’]est fait|terminé\\p{L}*|corrigé\\p{L}*|(?:est|sont) (?:validé|livré|envoyé|signé|publié|réservé|payé|déployé|fusionné|prêt)\\p{L}*",
  es: 'respondió|contestó|confirmó|aprobó|h[ea] \\p{L}+(?:ado|ido|cho|to)|hemos \\p{L}+(?:ado|ido)|hecho|listo|terminado|se ha|(?:import|cre|añad|correg|quit|publiqu|cambi|actualic|borr|elimin|mov|sub|instal|prepar|prob|ejecut|configur|cargu|migr|gener|escrib)[éí]',
  pt: 'feito|concluído|pronto|foi|foram|corrigid\\p{L}+|fiz|acabei de|(?:publiqu|cri|adicion|atualiz|tir|retir|import|test|rod|execut|alter|troqu|implement|configur|envi|mont|prepar|deix|coloqu|apagu|grav|instal|renome|migr|carregu|arrum|verifiqu|ger)ei|corrigi|removi|movi|escrevi|refiz',
  it: 'fatto|completato|ho \\p{L}+(?:ato|uto|ito|tto|sso|sto|unto|uso|lto)|è stato|sono stati|risolto',
  ru: 'готово|сделан\\p{L}*|сделал\\p{L}*|исправлен\\p{L}*|добавлен\\p{L}*|завершен\\p{L}*|(?:перенес|загруж|отправл|удал|обновл|установл|измен|замен|подключ|выгруж|внес|написа|созда|настро)(?:е?н|ён)[аоы]?|^(?:я |уже )*(?:загруз|выгруз|передел|исправ|замен|удал|обнов|установ|измен|подключ|перен[её]с|отправ|настро|провер|запуст|почин|подготов|опублик|созда|написа|добав|убра|поменя|записа)\\p{L}*л[аи]?',
  // The past tense of actions; decisions, and "was" alone, are none.
  ko: '완료\\p{L}*|(?!\\p{L}*(?:정했|결정|확정|선택|하기로|생각|있었|없었|이었|였))\\p{L}*[았었했됐왔갔샀냈졌렸겼났썼켰꿨줬](?:어요|습니다|다|죠|음)',
  spaceless:
    '[✅✔☑]|しました|済み|完了|した。|(?:通って|動いて|完成して|終わって)い(?:ます|る)|已(?:经)?(?!经|[有是在不没知能会])|完成了|好了|搞定|완료',
};

/** Only thought of, wished or asked: nothing was done by it. */
const unreal: CueWords = {
  en: "cannot|unable|should|would|could|if|once|when|unless|will|can|need(?:s)? to|not|n['’]t|never|want|plan|propose|suggest|next|todo|please|before|until|might|may",
  de: 'wenn|falls|sollte|würde|könnte|wird|nicht|kein\\p{L}*|noch|bis|müsste',
  fr: 'si|pas|serait|devrait|pourrait|faut|faudra|jusqu\\p{L}*',
  es: 'si|no|debería|podría|habría|falta|hasta',
  pt: 'se|não|deveria|poderia|falta|até',
  it: 'se|non|dovrebbe|potrebbe|manca|finché',
  ru: 'если|не|бы|нужно|надо|пока',
  ko: '',
};

/** Words for a proposal of the agent, which counts only once the person has taken it. */
const proposes: CueWords = {
  en: "i(?:['’]d| would)|i (?:suggest|propose|recommend)|we (?:could|can|might|should)|could|how about|what about|one option|option|alternatively|my (?:suggestion|recommendation)|perhaps|maybe|seems (?:too |a bit |rather )",
  de: 'würde|ich hätte|schlage vor|vorschlag|könnte\\p{L}*|wir könnten|empfehle|vielleicht|alternativ|scheint mir|finde ich (?:zu|etwas)',
  fr: 'je (?:propose|suggère|recommande|\\p{L}{2,}rais)|on pourrait|peut-être|je vous propose|proposition|me (?:semble|paraît)',
  es: 'propongo|sugiero|recomiendo|\\p{L}{2,}ría(?:mos)?|se puede|quizás?|conviene|me parece',
  pt: 'proponho|sugiro|recomendo|eu \\p{L}{2,}ria|poderíamos|seria|daria|talvez|me parece|acho que',
  it: 'propongo|suggerisco|consiglio|\\p{L}{3,}rei|si (?:può|potrebbe)|potremmo|conviene|forse|mi (?:sembra|pare)',
  ru: 'предлагаю|советую|я бы|можно|могли бы|может быть|стоит|мне кажется',
  ko: '제안\\p{L}*|추천\\p{L}*|어떨까\\p{L}*|어때\\p{L}*|좋겠\\p{L}*|좋을 것|것 같\\p{L}*',
  spaceless:
    '提案|おすすめ|なら|ましょう|[ほ方]うがいい|方がいい|どうでしょう|どうですか|と思います|がいい|かもしれ|建议|推荐|可以|最好|不如|要不|제안|추천',
};

/** An agent that only takes note: earlier instructions stand as they were. */
const takesNote: CueWords = {
  en: "understood|noted|got it|i see|ok(?:ay)?|will do|sure|fine|alright|all right|i(?:['’]ll| will) (?:remember|keep that|note)|thank(?:s| you) for|good to know|makes sense|right|agreed|acknowledged|duly noted",
  de: 'verstanden|ich verstehe|notiert|alles klar|in ordnung|okay|gut|danke (?:für|dass)|merke ich mir|ist notiert|vermerkt|klingt sinnvoll',
  fr: "compris|je comprends|je vois|noté|entendu|d['’]accord|c['’]est noté|bien reçu|bon à savoir|merci (?:de|pour)",
  es: 'entendido|entiendo|ya veo|anotado|de acuerdo|apuntado|vale|tomo nota|bueno saberlo|gracias por',
  pt: 'entendido|entendi|anotado|certo|combinado|ok|bom saber|obrigad[oa] por',
  it: 'capito|capisco|annotato|ricevuto|va bene|inteso|buono a sapersi|grazie (?:per|di)',
  ru: 'понял\\p{L}*|понятно|принято|записал\\p{L}*|учту|ясно|хорошо|спасибо,? что',
  ko: '알겠\\p{L}*|네|이해\\p{L}*|기록\\p{L}*',
  spaceless:
    '了解|承知|わかりました|分かりました|なるほど|はい[。、]|教えて(?:くれて|いただき)|メモ|記録|明白|好的|收到|记下|知道了|알겠',
  opening: true,
};

export const REPORT_WORDS = { leavesOpen, promises, reports, unreal, proposes, takesNote };
