type Forbids = Omit<CueWords, 'spaceless' | 'opening'>;

/** Verbs of work by which people say what is to be left as it is. Their form is the order: "on ne touche pas" is none. */
const FORBIDS: Forbids = {
  en: "(?:do not|don['’]t|dont) (?:ever|use|touch|add|commit|push|change|delete|remove|write|create|edit|modify|run|install|deploy|start|put|make|rename|include|mention|send|merge|build|break|store|log)",
  de: '(?<!(?:ich|wir|sie|er|es|man|die|der|das|und) )(?:fass|änder|lösch|benutz|verwend|schreib|veröffentlich|verschick|speicher|installier|committ?|push)(?:e|t|en sie|est)? (?:[\\p{L}\\d.-]+ ){0,4}?(?:nichts|keine?n?|nicht(?: \\p{L}+)?(?: an)?(?=[.,;!]|$))',
  fr: "(?<!(?:on|je|tu|il|elle|nous|vous|ils|elles|qui|ça) )n(?:e |['’])(?:l[ea] |l['’]|les |y )?(?:touch|chang|supprim|modifi|utilis|efface|publi|envoy|ajout|stock|install|met)(?:e[sz]?|s|tez)?(?:-(?:l[ea]|les|y))? (?:pas|rien)|ne (?:pas|rien) (?:toucher|changer|supprimer|modifier|utiliser|publier|envoyer|ajouter|installer|mettre)",
  es: 'no (?:l[oae]s? |me )?(?:(?:toqu|cambi|borr|us|publiqu|env[ií]|guard|instal|elimin|modifiqu)(?:es?|éis|en)|(?:añad|sub|pong|hag)(?:as?|áis|an))',
  pt: 'não (?:me |[oa]s? )?(?:(?:toqu|mud|apagu|us|alter|publiqu|envi|coloqu|adicion|guard|salv|instal|elimin)(?:e[ms]?)|(?:mex|remov|faç|ponh)(?:a[ms]?)|(?:mexe|toca)(?= n))',
  it: 'non (?:l[oaie] )?(?:tocc|cambi|cancell|us|modific|pubblic|invi|aggiung|mett|salv|install|rimuov)(?:are|ere|ate|ete|arl[oaie]|erl[oaie]|atel[oaie])',
  ru: 'не (?:трога|меня|удаля|добавля|использу|показыва|отправля|запуска|публику|записыва|сохраня|дела)(?:й|йте)|не (?:ставь|пиши|клади)(?:те)?',
  ko: '\\p{L}+지 ?(?:마(?:세요|십시오|라|요)?|말(?:아|자|고|도록)\\p{L}*)',
};

// Words by which people decide, forbid, promise and take back, in ten languages. A cue is looked for in one sentence, never
// in a message: otherwise the reason would be taken for the decision. Lists are never complete, so a cue raises the worth
// of a sentence or puts it under a heading; a sentence without one is still there.

/** Words of one meaning by language; `spaceless` are those of scripts that set no spaces between words. */
export interface CueWords {
  readonly en: string;
  readonly de: string;
  readonly fr: string;
  readonly es: string;
  readonly pt: string;
  readonly it: string;
  readonly ru: string;
  readonly ko: string;
  readonly spaceless?: string;
  /** They open the sentence, behind a word or two of hesitation at most. */
  readonly opening?: true;
}

/** How people begin to take something back or to think again: these words do nothing themselves. */
export const HESITATION =
  'actually|but|thanks?(?: you)?(?: (?:so|very) much| a lot)?|hm+|wait|hold on|hang on|oh|sorry|well|ah|uh+|um+|eigentlich|aber|danke(?: (?:schön|dir|sehr))?|moment|ach|na ja|naja|äh+|tja|oje|en fait|mais|merci(?: beaucoup)?|attends|euh|bon|ben|en realidad|pero|(?:muchas )?gracias|espera|bueno|pues|eh+|na verdade|mas|(?:muito )?obrigad[oa]|espera aí|olha|peraí|aspetta|ma|grazie(?: mille)?|beh|mah|scusa|вообще-то|но|спасибо|подожди(?:те)?|погоди|ой|ну|хм+|음+|아|고마운데|감사하지만|저기|잠깐(?:만요?)?|えっと|あ|ありがとう(?:ございます)?(?:、?でも|。でも)?|谢谢|等等|嗯|哦';

/** A rule that leaves no choice: an order, a prohibition, a law. */
const strict: CueWords = {
  en: `must(?:n['’]t)?|never|always|under no circumstances|no exceptions?|not negotiable|non-negotiable|forbidden|not allowed|has to|have to (?:be|stay|go)|required by|legal(?:ly)? (?:says|requires?|wants?)|gdpr|by law|my rules?|our rules?|(?:ground|house) rules?|rules?:|from now on|mandatory|(?:make|be) sure (?:you|to|that|it)|leave [\\p{L}\\p{N}\\s'’.-]{1,40} alone|${FORBIDS.en}`,
  de: `muss|müssen|darf|dürfen|nie|niemals|immer|auf keinen fall|auf jeden fall|bloß nicht|verboten|pflicht|zwingend|regel|verbindlich|nicht verhandelbar|allergie|\\p{L}+allergie|ab jetzt|ausnahmslos|${FORBIDS.de}`,
  fr: `jamais|toujours|interdit\\p{L}*|obligat\\p{L}+|il faut|doit|doivent|aucune? exception|règle|impératif|impérativement|en aucun cas|non négociable|désormais|${FORBIDS.fr}`,
  es: `nunca|jamás|siempre|prohibid[oa]s?|obligatori[oa]s?|no (?:se )?pueden?|regla|debe|deben|sin excepci[oó]n|bajo ning[uú]n concepto|a partir de ahora|innegociable|${FORBIDS.es}`,
  pt: `nunca|jamais|sempre|proibid[oa]s?|obrigat[óo]ri[oa]s?|não pode[m]?|regra|deve[m]?|tem que|têm que|tem de|de jeito nenhum|nem pensar|em hipótese alguma|sem exceção|a partir de agora|${FORBIDS.pt}`,
  it: `vietat[oa]|obbligatori[oa]|non si può|non può|non possono|regola|deve|devono|mai|sempre|in nessun caso|senza eccezioni|d[’']ora in poi|${FORBIDS.it}`,
  ru: `нельзя|никогда|всегда|никак(?:ой|ая|ое|их|ого)|ни за что|обязательно|обязан\\p{L}*|запрещ\\p{L}+|правило|должн\\p{L}+|ни в коем случае|без исключений|отныне|${FORBIDS.ru}`,
  ko: `절대(?:로)?|반드시|항상|꼭|금지|규칙|${FORBIDS.ko}`,
  spaceless:
    '必须|必須|絶対|必ず|禁止|不要|不能|别(?=[用把给写改动放再让])|不准|不许|不得|千万|永远|总是|一律|規則|规则|しないで|ないで(?:ください|下さい)|してはいけない|してはならない|てはだめ|ちゃだめ|厳禁|절대|반드시|금지|하지 ?마|안 ?됩니다|안 ?돼',
};

/** A limit or a taste. */
const weak: CueWords = {
  en: "only|at most|at least|no more than|no less than|prefer|rather not|please|until|without|avoid|(?:hate|dislike)|keep (?:it|them|the)|should(?:n['’]t| not)?|under \\d+|less than|within \\d+|allergic|no (?:new|more|framework|extra|other)\\b|don['’]?t want",
  de: 'nur|höchstens|mindestens|kein\\p{L}{0,2}|bitte|lieber|ohne|bis spätestens|maximal|soll(?:en|te|ten)?',
  fr: "seulement|uniquement|au plus|au maximum|maximum|au moins|pas de|sauf|sans|préfère|s['’]il (?:te|vous) plaît|merci de",
  es: 'solo|sólo|como máximo|máximo|al menos|sin|prefiero|por favor|nada de|quiero que',
  pt: 'somente|apenas|no máximo|pelo menos|sem|prefiro|nada de|quero que',
  it: 'soltanto|solo|al massimo|almeno|senza|preferisco|per favore|niente',
  ru: 'только|не более|не больше|не менее|без|предпочита\\p{L}+|пожалуйста|максимум|минимум',
  ko: '만|이내|최대|최소|선호|없이',
  spaceless:
    'だけ|のみ|以内|以下|以上|まで(?:に|は)|なしで|抜きで|してほしい|してください|只(?!是)|最多|至少|以内|不超过|请|希望|偏好|이내|최대|최소',
};

/** A taste or a limit that outlasts one task, also where "please" and "only" are said of each. */
const tastes: CueWords = {
  en: "(?<=[,;:] (?:so |and |but )?)no \\p{L}{3,}|^no (?:new|other|extra|more|external|further) \\p{L}{3,}|use [^.!?]{2,60}?(?:, not|instead of|rather than)|(?:only|just) (?:ever )?want|prefer|rather not|(?:hate|dislike)|avoid|at most|no more than|(?:under|less than|within|max(?:imum)?(?: of)?) \\d+|don['’]?t (?:want|like)",
  de: '(?<=[,;:] (?:und |aber |also )?)kein(?:e|en|er)? \\p{L}{3,}|^keine? \\p{L}{3,}|bleibt (?:\\p{L}+ )?(?:wie|unverändert)|ich (?:mag|will) (?:nur|kein\\p{L}*)|lieber|bevorzuge|höchstens|maximal|vermeide\\p{L}*|weniger als \\d+',
  fr: "(?:^|(?<=[,;:] (?:et |mais |donc )?))(?:pas de|pas d['’]|aucune?) ?\\p{L}{3,}|je veux seulement|je ne veux (?:que|pas)|préfère|évite\\p{L}*|au (?:plus|maximum)|moins de \\d+",
  es: '(?:^|(?<=[,;:] (?:y |pero )?))(?:nada de|sin|ningún|ninguna) \\p{L}{3,}|prefiero|solo quiero|sólo quiero|evita\\p{L}*|como máximo|menos de \\d+|no quiero',
  pt: '(?:^|(?<=[,;:] (?:e |mas )?))(?:nada de|sem|nenhuma?) \\p{L}{3,}|prefiro|só quero|evit[ae]\\p{L}*|no máximo|menos de \\d+|não quero',
  it: '(?:^|(?<=[,;:] (?:e |ma )?))(?:niente|senza|nessuna?) \\p{L}{3,}|preferisco|voglio solo|evita\\p{L}*|al massimo|meno di \\d+|non voglio',
  ru: '(?:^|(?<=[,;:] (?:и |но )?))(?:без|никаких|никакого) \\p{L}{3,}|предпочита\\p{L}+|хочу только|избегай\\p{L}*|не более|не больше|максимум|не хочу',
  ko: '선호\\p{L}*|최대|이내|싫\\p{L}*|쓰지 ?말\\p{L}*|하지 ?말\\p{L}*|\\p{L}+지 ?마(?:세요|십시오|라)?',
  spaceless: '以内|嫌い|避けて|使わない|なしで|最多|不超过|偏好|不想|不喜欢|不用(?=[\\p{Script=Han}A-Za-z])',
};

/** Accepts a proposal. */
const accepts: CueWords = {
  en: "ok(?:ay)?|okey|k|yes|yep|yeah|yup|sure|fine|good|great|perfect|nice|agreed|exactly|right|correct|sounds (?:good|reasonable|right|fine|great)|makes sense|looks good|lgtm|works for me|deal|do (?:it|that|so)|go (?:ahead|for it)|please do|let['’]?s (?:do|try|go)|proceed|approved|absolutely|of course|i agree|that['’]?s (?:fine|good|right|it)|alright|all right|cool|brilliant|love it|that one|happy with that",
  de: 'ja(?:wohl)?|gut|passt|genau|stimmt|einverstanden|in ordnung|klar|gerne|super|prima|okay|mach (?:das|es|mal)|machen wir|so machen|nehmen wir|dabei bleibt|klingt gut|gern|gefällt mir|finde? ich gut|dann das|abgemacht',
  fr: "oui|d['’]accord|ça me va|ca me va|voilà|parfait|très bien|exact(?:ement)?|entendu|ok pour|allons-y|vas-y|on (?:fait|part|prend)|bien|va pour|c['’]est bon|super|ça marche|j['’]adore|j['’]aime bien|volontiers",
  es: 'sí|si|vale|eso es|de acuerdo|perfecto|genial|claro|bien|hazlo|adelante|exacto|me parece bien|vamos con|venga|correcto|cierto|me gusta|me encanta|dale|hecho',
  pt: 'sim|certo|perfeito|combinado|concordo|ótimo|pode ser|isso|beleza|está bem|faz isso|vamos com|adorei|gosto|gostei|boa|fechado|quero|dá sim|pode fazer',
  it: "certo|va bene|perfetto|d['’]accordo|sì|esatto|ottimo|bene|facciamo così|procedi|mi piace|mi torna|ci sto|vada per|volentieri",
  ru: 'да|хорошо|согласен|согласна|отлично|ладно|именно|верно|давай(?:те)?|договорились|годится|точно|разумно|пусть будет|так и сделаем|отличная|ок|ага|идёт|идет|подходит|супер|нравится',
  ko: '네|예|좋아\\p{L}*|그래\\p{L}*|맞아\\p{L}*|알겠\\p{L}*|동의\\p{L}*|그렇게|그걸로|그러죠|그럽시다|괜찮\\p{L}*|오케이|좋네\\p{L}*',
  spaceless:
    'はい|いいね|いいよ|いいです|うん|了解|それで|そうし|お願い|賛成|オッケー|オーケー|ええ|好(?:的|吧|啊)?[,，。！ ]|好$|可以|行[,，。]|同意|没问题|就这样|就这么|就它|就这个|好主意|没意见|赞成|对[,，。]|嗯|是的',
  opening: true,
};

/** A strong no: the answer before it was wrong, or the proposal is off. */
const rejects: CueWords = {
  en: "no(?! (?:problem|worries|idea|rush|hurry|doubt)(?!\\p{L}))(?: way)?|nope|nah+|wrong|not what|that['’]?s (?:not|wrong)|stop|revert|undo|skip|drop|too (?:many|much|long|slow|expensive|late|early|risky)|doesn['’]t look right|don['’]t (?:do|like) (?:that|it|this)|forget (?:it|that)|scratch that|never mind|cancel|roll(?:ed)? back|instead",
  de: 'nein|nee|zu (?:teuer|viel|viele|lang|spät|früh|riskant|langsam)|falsch|stopp?|lass das|vergiss|rückgängig|lieber nicht|auf keinen fall|quatsch',
  fr: 'non|trop (?:de|cher|long|tard|risqué)|faux|arrête|laisse tomber|annule|pas question|oublie|surtout pas',
  es: 'no|ni hablar|descartado|demasiad\\p{L}+|mal|para(?=[.,!])|olvida\\p{L}*|deshaz|anula|nada de eso|mejor no',
  pt: 'não|nem pensar|descartado|demais|errado|pare|esquece|desfaz|cancela|melhor não',
  it: 'no|sbagliato|troppo|troppi|fermati|lascia perdere|annulla|meglio di no|niente affatto',
  ru: 'нет|не надо|слишком|неправильно|стоп|отмени\\p{L}*|забудь|откати\\p{L}*|лучше не',
  ko: '아니\\p{L}*|안 ?돼\\p{L}*|취소|너무|그만|되돌려',
  spaceless:
    'いや|いえ|いいえ|ダメ|だめ|やめ|要らない|いらない|違う|戻して|取り消|多すぎ|高すぎ|不要|不行|不对|不用|别|取消|撤销|太(?:多|贵|长|慢|晚)|算了|错了',
  opening: true,
};

/** Changes a decision or a proposal. */
const revises: CueWords = {
  en: "actually|wait|instead|make it|let['’]?s say|too (?:many|much|long)|is enough|are enough|stay with|stick (?:with|to)|rather|on second thought|i slept on it|changed? (?:my|our) mind|change of plan|after all|no longer|not any ?more|correction|i was wrong|back to|we['’]?re going with|scratch that|but (?:with|only|make|not)|drop|switch(?:ing)? to|move[sd]? (?:it )?to|hang on|not \\d+(?:[.,:]\\d+)?|turns out|(?:this|that) is (?:wrong|not right|incorrect)",
  de: 'doch|lieber|statt(?:dessen)?|reicht|bleibt|bleiben|eigentlich|ach nein|moment|umentschieden|doch nicht|nicht mehr|besser|sondern|ändern|änderung|kommando zurück|sagen wir',
  fr: "plutôt|finalement|mettons|on garde|en fait|au lieu|en revanche|changement|j['’]ai changé|attends|suffit|suffisent|on passe à|correction|disons|au final|ne plus|n['’]est plus",
  es: 'mejor|al final|cambio:|cambio de|en realidad|en vez|en lugar|espera|basta|ya no|digamos|pensándolo|corrijo|entonces|sino|finalmente',
  pt: 'melhor|é (?:muito|demais|pouco)|são (?:muitos|muitas|demais)|na verdade|em vez|afinal|mudança|mudei|espera|basta|chega|já não|não mais|digamos|corrigindo',
  it: 'meglio|anzi|invece|in realtà|alla fine|aspetta|basta|bastano|non più|diciamo|cambio|ripensandoci|correzione',
  ru: 'лучше|вместо|на самом деле|всё-таки|все-таки|подожди\\p{L}*|хватит|достаточно|передумал\\p{L}*|не [^,.!?]{1,30}, а|больше не|скажем|поправка|точнее|вообще-то',
  ko: '차라리|대신|사실|아니다|다시 생각|충분|바꾸\\p{L}*|말고|생각해 ?보니',
  spaceless:
    'やっぱり|やはり|にしよう|のまま|代わりに|実は|待って|十分|変更|訂正|じゃなくて|ではなく|改成|改为|改到|换成|还是|而是|不是|其实|等一下|够了|变更|更正|않고|말고|대신',
};

/** States a choice. */
const chooses: CueWords = {
  en: "let['’]?s|go(?:ing)? with|we(?:['’]ll| will)? (?:decided|agreed|use|take|keep|go|do|want|need)|decided|decision|agreed|settled|option \\d+|rename|fine,? but|looks good|(?:looks|sounds|is|seems)(?: like)? a (?:good|great|nice) (?:idea|plan)|i want|i['’]?d (?:like|rather)|we (?:already )?have|reuse|use|^then|then(?=[.,!]|$)|chose|choose|pick(?:ed)?|call it|should be|it is|i approve",
  de: 'entschieden|entscheid\\p{L}*|nehmen wir|wir nehmen|dabei bleibt es|passt|machen wir|festgelegt|beschlossen|einigen|geeinigt|dann|ich will|ich möchte|wir wollen|wird|soll|abgemacht',
  fr: 'décid\\p{L}+|on (?:part|prend|fait|garde|met|va)|choisi\\p{L}*|retenu|convenu|je veux|je voudrais|nous (?:prenons|gardons)|décision|alors|ce sera',
  es: 'decid\\p{L}+|vamos con|quedamos|elegi\\p{L}+|quiero|decisión|acordad\\p{L}+|usamos|hacemos|será|entonces|queda|quedan|se queda\\p{L}*',
  pt: 'decid\\p{L}+|vamos (?:com|usar)|escolh\\p{L}+|quero|decisão|combinad\\p{L}+|usamos|fazemos|será|então|fica|ficam',
  it: 'deciso|decidiamo|scegli\\p{L}+|scelto|voglio|decisione|usiamo|facciamo|allora|sarà|resta|andiamo con',
  ru: 'реши\\p{L}+|решено|выбра\\p{L}+|берём|берем|хочу|решение|используем|делаем|тогда|будет|договорились',
  ko: '결정\\p{L}*|정했\\p{L}*|선택\\p{L}*|쓰자|하자|합시다|원해\\p{L}*|사용\\p{L}*|\\p{L}+로 (?:하죠|해요|할게요|가죠|갑시다|부탁\\p{L}*|해 ?주세요)|\\p{L}+읍시다',
  spaceless:
    '决定|決定|決め|に(?:する|します|しよう)|を採用|で行|でいこう|でいきます|采用|改用|选择|就用|我要|我们(?:用|要|选)|確定|确定|定(?:了|为|在)|하기로|쓰기로|결정',
};

/** Takes back the last step, or the one it names: "undo that", "hm, revert the rename please". */
const undoes: CueWords = {
  en: "(?:(?:please|can you|could you|let['’]?s|let us|we (?:should|need to|have to|must)|you (?:can|should)|i want (?:you )?to|i['’]d (?:like|rather)(?: you)?(?: to)?|just|then) ){0,2}(?:(?:revert|undo|un-?do)(?! (?:button|function|feature|command|support|stack|history))|roll(?:ed)? (?:(?:it|that|this|everything) )?back|back (?:it|that|this) out|take (?:it|that|this|[^.!?]{2,30}) (?:back )?out(?: again)?$|put (?:it|that|everything) back|forget (?:it|that|about (?:it|that|the))|scratch that|never ?mind(?: (?:that|the))?|(?:remove|delete|drop) (?:it|that|this)(?: (?:again|please))?(?=[.,!;]|$)|change it back)|.{0,40}?(?:it|that|this) back to (?:how|what|the way) it was",
  de: '(?:(?:bitte|kannst du|können wir|wir sollten|dann) )?(?:nimm|nehm\\p{L}*|mach\\p{L}*|bau\\p{L}*|tu|wirf|schmei(?:ß|ss)|lösch\\p{L}*|entfern\\p{L}*|stell\\p{L}*|das|es|die|den) .{0,60}?(?:rückgängig(?! zu machen)|wieder (?:raus|weg(?=machen|nehmen)|aus(?:bauen)?|entfern(?:en)?|zurück)(?! ist)|zurück auf (?:den )?(?:alten?|vorherigen?) stand)|(?:mach|nimm) .{0,40}?wieder weg|vergiss (?:es|das)|kommando zurück|streich(?:e|en)? (?:das|es)(?=[\\s,.!]|$)|lass (?:das|es) (?:doch |lieber )?(?:weg|sein|bleiben)|setz\\p{L}* [^.!?]{1,40} zurück|.{0,60}?wie(?:der so, wie| es) (?:es )?vorher war',
  fr: "(?:annule[rz]?|défais|revien[st] en arrière|remets? (?:comme avant|l['’]ancien\\p{L}*)|oublie[rz]? (?:ça|cela|tout ça)|laisse tomber|(?:enlève|retire|supprime)(?:-le|-la| ça| cela)(?=[\\s,.!]|$))|reviens à l['’]ancien\\p{L}*|.{0,60}?comme (?:avant|c['’]était)(?=[\\s,.!]*$)",
  es: '(?:deshaz(?:lo)?|revierte(?:lo)?|vuelve atrás|quítal[oa]|olvídalo|olvida eso|anula(?:lo)?|déjalo como (?:estaba|antes))|vuelve a (?:dejar|poner)(?:lo|la) como',
  pt: '(?:desfa[zç]\\p{L}*|reverte[rd]?\\p{L}*|reverta|volta atrás|tira isso|esquece isso|deixa como estava|cancela isso)|.{0,40}?volta (?:tudo )?como (?:estava|era)',
  it: "(?:annulla(?:lo|la)?|ripristina(?:lo|la)?|torna indietro|togli(?:lo|la)(?: pure)?|lascia perdere|rimetti(?:lo|la)? com['’]era|dimentica(?:lo|telo))|rimetti(?:lo|la)? com['’]era|come prima(?=[.!]|$)",
  ru: '(?:.{0,20}?)(?:отмени(?:те)?(?=[\\s,.!]|$)|откати(?:те)?)|(?:.{0,20}?)верни(?:те)? (?:как было|обратно|назад|всё назад|старое)|убери(?:те)? (?:это|обратно)|забудь(?:те)?(?: об этом)?(?=[,.!]|$)',
  ko: '.{0,40}?(?:되돌려\\p{L}*|원래대로|없던 일로|취소해\\p{L}*|다시 빼\\p{L}*)',
  opening: true,
  spaceless:
    '.{0,30}?(?:元に戻して|取り消して|撤销|撤回|还原|恢复原|改回(?:去|来|原)|不要了[。，]?$)|(?:やっぱり|それ|これ|さっき).{0,12}(?:戻して|なしで|取り消)|算了',
};

export const CHOICE_WORDS = { strict, weak, tastes, accepts, rejects, revises, chooses, undoes };
