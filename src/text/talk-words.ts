// Words that carry no subject: grammar, and the replies and greetings of everyday talk. A message of these alone asks about
// nothing that could be looked up. Generous on purpose: a word counts only where every other word of the message is here too.
import { rememberWords } from './remember.ts';

const SPACED = {
  english: `accomplished yawn long a about absolutely actually again agree agreed ahead ain all alright already also always am amazing an and another any
    anything appreciate appreciated are as ask at awesome away aye back bad be because been beautiful before being best better bit both
    bravo brilliant but by bye call came can cannot care carry catch certainly cheers clear come confirm confirmed congrats congratulations
    continue cool copy correct could course crazy crystal cute damn day days dear definitely did do does doing don done down dude each
    easy else enjoy enough even evening ever every everything exactly excellent fab fair fantastic feel few fine first folks for
    forget fresh from fun funny further gee get give glad go goes going gonna good goodbye got gotcha great guess guys had happy
    hard has have haven having he hear hello help helped helpful helps her here hey hi him his hmm hold hope how huge hurray i idea if im in indeed
    interesting into is isn it its job joking just k keep kidding kind know later laugh least leave let lets lgtm like ll lol look looks lot lots
    lovely luck made make makes man many matter may maybe me mean meet might mind minute moment more morning most move much must my
    naturally neat never next nice night nm no nope nor not nothing noted now np of off oh ok okay okey on once one only onwards oops option or
    other ought our out over own pal pardon perfect perfectly please pleasure plus point possible possibly pretty probably proceed quick quite
    rather re ready really repeat reply right roger s said same say second see seem seems sense set shall ship she should show sigh simply sir skip
    smart so some someone something soon sorry sort sound sounds splendid spot start stay still stop stunning such super sure surely
    sweet t take talk tell terrific than thank thanks that the their them then there these they thing third things think this those though thought thumbs thx
    time tip to today together tomorrow tonight too top totally touche true try ty u ugh um understand understood until up us use ve
    very wait wanna want was way we welcome well were weren what whatever whats when where which while who why will
    wish with without wonderful wondering word work worked working works worries would wow ya yay yeah yep yes yesterday yet yo you your yup
    ack afaik alrighty argh asap aw aww awww bestie bless blimey bro btw buddy bummer cheer
    cheerio crikey dang darn dearest delighted disregard dokie duh dunno eek enjoyed fr fyi gah gg
    gosh gotta grr hah hallelujah haw heavens honestly hooray howdy hurrah hurry ikr imho imo jeez jk
    kudos lmao lolz mate meh mwah nah nailed nn nvm okie omg oof ooh oopsie ouch owe pfft phew phooey pity pleased psst
    rad reckon relieved righto righty rofl rude rush salut sec secs sheesh shucks sis smh sounded
    ta tada tbh thankful thankfully thankyou toodles ttyl tysm uhh uhm umm unbelievable whatevs whee whenever whew whoa whoops
    woah woo woohoo wowza wtf yikes yippee yum yw`,
  german: `ab aber absolut ach alle allem allen aller alles als also am an andere auch auf aus ausgezeichnet bald bei beim bescheid besser
    bestens bestimmt bin bis bisschen bist bitte bloss bravo cool da dabei dafur damit dank danke danken dann daran darauf daraus das dass dazu dein deine
    dem den denke denn der des deshalb dich die dies diese diesem diesen dieser dieses dir doch dort du durch eben echt eigentlich ein
    eine einem einen einer eines einfach einmal einverstanden entschuldigung er erledigt erst es etwas euch fein fertig fur ganz gefallt geht
    gehts gemacht genau genial gerade gern gerne geschafft gesehen gestern gleich gott gross grossartig gut gute guten guter gutes guck hab habe haben hallo
    hast hat herzlichen heute hey hi hier hilfe hilft ich ihm ihn ihnen ihr im immer in ins interessant ist ja jawohl je jede jetzt kann kannst
    kapiert kein keine klar klappt klasse klingt komm konnen konnte lass lauft leider lieb liebe los mach mache machen macht machs mal man mehr mein
    meine meinst mich mir mit moin mochte moglich moment morgen muss nach nachste nachsten naja naturlich ne nee nein nett nicht nichts nie noch nun
    nur ob oder ohne okay passt perfekt prima pro recht richtig schaut schliesse schon schone schonen schoner schones sehr sei sein seine setze sich sicher sie sieht sind so
    sofort solche soll spitze stimmt super tag tage tausend toll tschuss tu tun tut uber uberhaupt um und uns unser unter verstanden versteh verstehe viel
    vielen vielleicht voll vollig vom von vor war ware warte warum was weg weil weiter weitere weitermachen welche wenn wer werde werden wie
    wieder willkommen wir wird wirklich wo wollen wunderbar wunsche wurde zu zum zur zustimmung achso aha ahnung
    au autsch begeistert beste bombig chapeau cooles egal eile eilt entspann entspannt erfreut erleichtert erleichterung freu
    freude freue freut geb gebe geil gespannt gesundheit gib glucklich gluckwunsch grins gruss grusse hach hahaha hoppla hossa
    huch hurra jep jo juhu jup krass lustig mahlzeit mist nachher nacht nachti oh oje ok okidoki ooh passe
    prost puh quatsch riesig rosig ruhig schade schlafe schlafen schlaft schmunzel sekundchen
    sekunde servus sorry spitzenmassig tja traumhaft tschau tutto uff uh ui uiui ups upsi verdammt
    vergnugen verschrieben vertan vertippt wahnsinn weh wow wunderbare yeah yo zack zeit zufrieden`,
  french: `a accord ah ai aller allez alors apres as attends au aucun aujourdhui aussi autre aux avec avez avoir bah beau beaucoup belle ben bien
    bientot bof bon bonjour bonne bonsoir bravo c ca car ce cela ces cest cet cette chose ci comme comment compris comprends continue
    continuer continuez cool correct coup d daccord dans de deja demain des desole dire dis doit donc dont du elle elles en encore enfin
    ensuite entendu es est et etait etes etre eu eux exactement excellent excuse faire fais fait faites faut felicitations fois formidable
    genial gentil grand gros hein heureux hier hui il ils impeccable ici j jai jamais je jour journee jusque juste l la le les leur lui m
    ma mais mal marche matin me meme merci mes mieux moi moins mois mon mot n ne ni nickel non nos notre nous nuit on ont ou ouais oui
    par parfait parfaitement pas passe pense peu peut peux plait plaisir plus pour pourquoi pouvez prends pret prochain prochaine puis qu quand que
    quel quelle quelque qui quoi raison rien s sa salut sans se semble ses si soir soiree son sont stp suis suite suivant suivante suivez super sur svp sympa t
    ta tant te tel temps tes toi ton top toujours tous tout toute toutes tranquille tres trop tu un une va vais vas vers veux voici voila vois voit voir votre vous vraiment vu
    weekend y yes adieu aie aille aimable amuse avecplaisir bigre bigup bises bisou bisous bo bonheur chapeau chic
    chouette content contente cordialement coucou dac desolee dommage ecoute eh enchante enchantee entendre euh fiou
    hahaha he helas ho hop houla hourra kiffe lache lol magnifique mdr merveille merveilleux mince mouais nan oh okay
    oki ola ouah ouf oups parfois pfff presse presser pressons promis ptdr quelconque ravi ravie rigolo roule roulez
    sensas souci soucis splendide tchao tchin tiens tinquiete tkt tope toutafait waouh wow yep youpi zut`,
  spanish: `a acuerdo adelante adios ah ahi ahora al algo ayuda ayudar ayer alla alli antes aqui asi aun aunque bien bravo buen buena buenas bueno buenos
    cada casi chao chevere cierto claro como completamente comprendo con conforme contigo continua continuar correcto cosa creo cual
    cuando cuanto dale de decir del demas desde despues dia dias dios dime disculpa do donde e el ella ello ellos en encanta encantado entendido
    entiendo entonces era eres es esa ese eso espera esta estaba estamos estan estar estas este esto estoy estupendo exactamente excelente fantastico favor
    feliz fenomenal fin finde fue fuera genial gracias gran grande gusta gusto ha haber hablar hace hacer hacia hago han has hasta hay haz he hecho
    hola hombre hoy idea igual incluso ir ja la las le les listo lo los luego mal manana mandale mas me mejor menos mi mis mismo
    momento mucha muchas muchisimas mucho muy nada ni ninguno no noche noches nos nosotros nuestro o ok okey os otra otro para parece pasa pena perdon
    perfecto perfectamente pero poco podemos por porque posible primero procede proceda pronto proximo puede puedes pues que quien quiero razon
    saludos se sea seguimos seguir seguro ser si sido siempre siento siga sigamos sigue siguiente sin sobre solo son soy su suena super sus tal tambien tan tanto
    tarde tardes te tengo tiempo tiene tienes todavia todo todos toma tu tus un una uno usted va vale vamos vaya ve ver verdad vez
    vista voy y ya yo abrazo abrazos agradecida agradecido alegra alegro alivio animo ay bah bendiciones beso besos bienvenida
    bienvenido buenisimo caray chido chulo ciao clarisimo crack cuidado cuidate descansa descanse descansen descanses disfruta divertido
    duermas duerme eh encantada enhorabuena espectacular excelentes felicidades felicitaciones fenomeno genio
    gracioso guapo guay haha hurra increible jaja jajaja jeje jo lastima mande maravilla maravilloso miercoles
    molan oh ojala ole oops orale ostras pardiez prisa provecho rie saludo segundito sigues simpatico sip
    sorprendente tchau tomate tranquila tranquilo uf uff ups uy venga viva wow yuju yupi`,
  portuguese: `a abraco acho acordo adeus adorei agora agradeco ai ainda alguem algo ali amanha antes ao aos apenas aqui as assim ate avante bacana
    bao beleza bem blz boa boas bom bons ca cada certamente certeza certo claro coisa com combinado como compreendo comigo concordo conforme continua
    continuar continue correto da das de deixa depois desculpa desculpe dele deu dia dias disso do dois dos e eh ela ele eles em encantado
    entao entendi entendido era es essa esse esta estava este estou eu exatamente excelente faca faz fazer favor fantastico feito feliz ficou final fim foi
    fico forte genial gente gostei gosto grande ha hoje incrivel ir isso isto ja jeito joia la lhe legal lindo logo maior mais manda mande mano
    maravilha mas massa me melhor menos mesmo meu mim minha momento muita muitas muito muitos na nada nao nas nem nenhum nos nossa nosso nova
    num o obrigada obrigado oi oh ok ola onde os otima otimo ou outra outro para parabens parece pela pelo pena pensei perfeito perfeitamente pessoal pode
    podemos poderia pois por porque possivel pouco pra prazer primeiro pronto proximo proxima prossiga quais qual quando quanto que quem quero razao saude se segue seguir segunda
    seja sem sempre ser sera seu show sim simples sinto sao so sobre sou sua suas tal talvez tambem tanto tarde te tem tempo tenho tens teu tive
    toda todo todos trabalho tranquilo tu tudo um uma vai valeu vamos ve vem ver verdade vez viu voce voces vou abracos aff ah aha aham
    alegria amei amiga amigo apressa arrasou bacanas beijinhos beijo beijos bora brilhante calma caramba chau
    ciao cuida curti demais descansa desculpem eba eita enfim engracado epa espetacular esplendido fixe fofa fofo
    ganda graca haha hein hurra imenso joinha kkk lamento lastima legais mandou maneiro manero maravilhoso
    oba obg oha opa ops oxi perdao porreiro pressa proveito putz puxa risos rs sucesso tchau
    tmj topissimo tranquila uai uau ufa uhu upa ups urra valeuzao vixe volto xau xi`,
  italian: `a abbiamo accordo adesso ah ai aiuto al alla allora altro amico anche ancora andare andiamo apposto appunto arrivederci aspetta avanti avere
    bella bello ben bene benissimo benvenuto bravo brava buon buona buonanotte buonasera buongiorno buono capisco capito caro caso cazzo c ce certamente certo che chi chiaro ci
    ciao cio cioe come complimenti con concordo continua continuare continuiamo correttamente corretto cosa cosi credo d da dai dal davvero deve dei
    del della detto di dici dimmi dio direi dire domani dopo dove due e ecco ed entrambi era esatto esattamente essere fa facciamo fai fantastico fare
    fatto favore felice figurati fine forse forte fra fu gentile gia giorno giusto gli grande grandioso grazie ha hai hanno ho i idea ieri il impeccabile in
    infatti insieme interessante invece io ieri la le lei li lo loro ma magari mai male mattina me meglio meno mi mia mille mio mo molto
    momento ne nei nel nella nessun nessuno niente no noi non nostro notte nulla o oggi ogni ok okay ora oppure ottima ottimo pare per perche perfettamente perfetto pero
    piace piacere piu poco poi possiamo possibile posso potresti prego presto prima procedi proceda procediamo prossima prossimo proprio prossimi pure puo puoi qua qualche quale quando
    quanto quello questa questo qui ragione s sa saluti scusa scusami se sei sembra sempre senza sera serata si sia siamo sicuro solo sono sta
    stai stato stessa stesso sto stupendo su subito suo super suona tanto te tempo ti tra tranquillo troppo tu tua tuo tutta tutti tutto un una uno va vabbe vado vai vediamo
    vero vi via vista voglio voi volta vorrei weekend abbracci abbraccio accidenti ahah ahi attimino attimo auguri baci
    bacio beh bellissimo bo boh bravi bravissimo buonissimo calma caspita cavolo certissimo congratulazioni contenta contento daje
    dispiace dispiaciuto divertente dormi eccezionale eccome eh eheh esagerato evviva fantastica fico figo fortissimo
    fretta geniale genio haha hurra incredibile lieta lieto magnifico mah mannaggia meraviglia meraviglioso mica mitico
    mizzica oddio oh ola oops ops ossignore pazienza peccato piacevole ridere riposa riposati saluto sereno
    simpatico splendido stupenda suvvia top uao ue uff uffa uh ups urca urra vabbuo viva wow`,
  russian: `а ага без благодарю блин более больше большое большой будем будет будешь бы был была были было быть в вам вас ваш ведь верно вернусь весело весь вечер вечера
    видимо видно вижу во вот время все всегда всего всем всех всю вы выглядит г где говори годится да давай давайте дальше дела делаем делай делайте делать дело
    день до добро доброе доброго добрый договорились должно друг думаю его ее если есть еще ж же за завтра замечательно здесь здорово здравствуй здравствуйте
    знаю и из извини извините или им именно интересно их к каждый как какая какой классно ко когда кого конечно конец кому красиво круто кстати кто
    куда ладно ли лучше любой меня мне много может можем можешь можно мой молодец моя мы на над надо назад наконец нам нас наш не него нет неплохо ни ничего но ночи
    ну нужно о об окей ок он она они оно опять особенно от отличная отличный отлично очень пардон пожалуйста пойдет пока поехали понимаю понял поняла понятно пор потом потому почему
    почти поэтому прав права правда правы правильно превосходно прекрасно при приветик привет приветствую принято принял приступай приятно приятного про продолжай продолжайте продолжать продолжаем продолжим просто против прошу
    работа рад раз разве с сам самый свидания своей свой себя сегодня сейчас следующий следующее следующая сказал скоро слишком со согласен согласна сойдет спасибо спасибки спокойной
    стоп супер так такая также такой там тебе тебя тем теперь то тобой тогда того тоже той только том тот точно тут ты у уж уже умница ура утро утра
    хватит хорошая хорошего хорошее хорошие хороший хорошо хотел хочу час чего чем через что чтобы чуть эта эти это этого этой этом этот я ясно
    аи аида ах ахаха баи боже браво будь бывает бываи вау великолепно восторг вперед глянь го господи гуд даешь держать
    держи держите досада душевно ек елки жалко жаль забавно забеи забудь зашибись збс здоровски здрасьте извиняюсь изумительно
    каиф какое клево красава красавчик круть ладненько лол лучшее мда мило минутку минуточку наис напугал неа
    невероятно обнимаю обожаю ого огромное ои офигенно ох пасиб пасибо погнали погоди подожди подумаю пожалуи
    поздравляю посмеялся приветы прикол прикольно приятель прости простите рада рахмат сек секундочку секунду
    сорри спеши спешите спешу спокоино спс сча счастливо твое терпимо топ торопись тю увы угу удачи удачного умора упс урра уф ух
    фух хах хаха хвала хорошенько целую чмок чудесно шикарно шучу эи эх юху ясненько`,
  korean: `ㄱㅅ ㅇㅇ ㅇㅋ 가 가요 가자 감사 감사해요 감사합니다 갑시다 계속 계속하세요 계속해 계속해요 계속해주세요 고마워 고마워요 고맙습니다 괜찮네요 괜찮아 괜찮아요 괜찮습니다 그 그거
    그건 그걸로 그것 그게 그냥 그대로 그래 그래서 그래요 그러면 그런 그럼 그렇게 그렇군요 그렇네요 그렇습니다 그리고 근데 글쎄 나 나는 나도 내 내가 내일 너 너는 너무 넌 네 넵 넹 노 놀랍네요 누구 는 다 다음
    다음에 당신 대단해 대단해요 대단하네요 대박 더 도 동의합니다 되나요 됐어 됐어요 됐습니다 됩니다 들 뜻 마음에 많이 말 맞네요 맞아 맞아요 맞습니다 매우 뭐 뭐야 멋져요 멋지네요 멋있어요 무슨 무엇 문제없어요 미안 미안해요 미안합니다 바로 반가워요 반갑습니다 방금 별로
    부탁 부탁드려요 부탁드립니다 부탁해 부탁해요 부탁합니다 빨리 뿐 살펴 상관없어요 설마 수 수고 수고하세요 수고하셨습니다 수고했어 수고했어요 시작 신나네요 아 아니 아니면 아니에요 아니요 아니오 아뇨 아주 아하 안 안녕 안녕하세요 안녕히 알겠어 알겠어요 알겠습니다 알았어 알았어요 알았습니다 앞으로 어 어때 어때요 어떻게 어제 언제 없어요 없습니다 에
    여기 역시 예 예쁘네요 오 오늘 오케이 완료 완벽해요 완벽하네요 완벽합니다 왜 요 우리 우와 와 웅 은 을 음 응 의 이 이거 이건 이것 이게 이대로 이렇게 이번 이제 이해했어요 이해했습니다 이해합니다 인정 일단 있어요 있습니다 잘 잘가 잘됐네요 잘했어 잘했어요 잘하셨습니다 잠깐 잠시 잠시만요 저 저는 저도 정도 정말
    정말로 정확해요 정확합니다 제 제가 제발 조금 좀 좋네 좋네요 좋아 좋아요 좋은 좋겠어요 좋습니다 주 주무세요 주세요 주시겠어요 죄송 죄송해요 죄송합니다 줘 줘요 지금 진짜 진짜로 진행 진행하세요 진행하시죠 진행해 진행해도 진행해요 진행해주세요 진행합시다 참 천만에요 최고 최고예요 최고네요 축하 축하해요 축하합니다 충분해요 파이팅 하 하고 하나 하루 하루도 하세요 하시죠 하자 하지만 한 한번 할게요 할까요 합니다
    합시다 해 해도 해봐 해요 해주세요 해줘 했어요 확인 확인했습니다 확인했어요 확실히 훌륭해요 훌륭하네요 훌륭합니다 힘내세요 가봅시다 가봐요 갈게요 갑니다 고마워용 고마웡 굿 굿굿 굿밤 그나저나 그니까 그래도 그랬군요 그러네요 그러니까
    급하지 급해요 기다려 기다려요 기다릴게요 기뻐요 기쁘네요 까먹었어요 꼭 꿀잠 낼 느긋하게 다행 다행이네요 다행이다 다행이에요 대단히 대박이네요 대박이다 드디어 드세요 들어가세요 맛있게 맛있어요 먼저 멋있네요 물론 물론이죠 미쳤다 바이
    반가워 봐 봐요 봬요 뵐게요 부럽네요 빵터졌어요 사랑해요 살았다 설마요 쉬세요 신나요 싫어 아깝네요 아쉽네요 아이고 아자 아직 않아도 않아요 앗 어머 얼른 엄청 에이 여러모로 예스 오랜만이에요 오호 와우 웃겨 웃겨요 웃기네요 으악
    응원해요 이따 이따가 이럴수가 이만 있어 자 자러 자요 잘자 잘자요 잠깐만 잠깐만요 잠시만 재미있네요 재밌네요 재밌어요 저런 정말이요 조심하세요 조심히 좋은데요 주무셨어요 즐거운 즐거웠어요 지루해 짱 짱이에요 참고로 천천히
    추카 축하드려요 퇴근 퇴근합니다 편하게 푹 하이 하하 헉 헐 헤헤 호호 화이팅 환영해요 휴 히히 힘내 힘내요`,
};

const UNSPACED = {
  chinese: `哈哈 嘿嘿 呵呵 好的 好吧 好啊 好呀 好哒 好了 好像 好棒 很好 很棒 太好 太棒 棒 真棒 不错 不用 不客气 不是 不要 不过 谢谢 多谢 感谢 非常 辛苦 麻烦 没问题 没事 没关系 没有 没错 没 问题 可以 行 对 是的 是 嗯 恩
    哦 噢 喔 啊 呀 哇 哎 嗨 喂 明白 了解 知道 理解 收到 懂 清楚 同意 赞同 赞 继续 接着 接下来 下一步 下一个 开始 进行 请 帮忙 帮 吧 吗 呢 嘛 啦 哈 咯 了 的 地 得 着 过 我们 你们 他们 她们 它们 我 你 您 他 她 它 们 自己 大家 这个 那个 这样 那样 这些 那些 这里 那里 这 那 哪 什么
    怎么样 怎么 怎样 为什么 谁 多少 几 就 也 都 还 又 再 才 很 太 更 最 真的 真 挺 比较 已经 正在 现在 今天 明天 昨天 晚上 早上 下午 中午 早安 晚安 早 您好 你好 好 再见 拜拜 回见 祝 愉快 开心 快乐 高兴 喜欢 完美 厉害 牛 酷 优秀 正确 当然 一定 必须 应该 可能 也许 或者 和 与 跟 或 但是 但 因为 所以
    如果 那么 然后 之后 以后 之前 以前 时候 时间 一下 一点 一个 一些 一 两 下 上 里 中 来 去 到 在 有 为 给 让 把 被 从 向 用 做 干 弄 搞 说 看 想 要 会 能 办 按 照 加油 随便 随时 等等 等 稍 马上 立刻 先 吧 okay 对吧 觉得 听起来 起来 意思 有趣 意见 就这么 这么 那么 不 无 别 嗎 麼 謝謝 謝 繼續 沒問題 沒 問題 對 這 個 們 說 麻煩 請
    万岁 不好意思 不急 不着急 了不起 佩服 先这样 别急 原来如此 可惜 吓死 呜呜 哇塞 哎呀 哎哟 哦豁 啊哈 嗯哼 嘻嘻 在吗 天哪 天啊 好嘞 好极了 好耶 好险 客气 对不起
    幸好 幸运 恭喜 慢慢来 抱抱 抱歉 挺好 放心 无语 有道理 松了一口气 点赞 珍重 真不错 真好 祝贺 稍等 笑死 笑死我 糟糕 给力 绝了 赞一个 走吧 走起
    辛苦了 过奖 遗憾`,
  japanese: `ありがとうございました ありがとうございます ありがとう ありがと どうも わかりました わかった 分かりました 分かった 承知しました 承知 了解しました 了解 かしこまりました その通りです その通り はい いいえ いや うん ううん ええ そうです そうですね そう なるほど 大丈夫 問題ない 問題ありません 問題なし 問題
    いいですね いいです いいよ いいね 良い 良さそう よさそう よろしく お願いします お願い 願 続けてください 続けて 続き 続 進めてください 進めて 進 次 どうぞ ください 下さい ました ます です でした ません ましょう だよ だね だった だ よね よ ね か な わ ぞ さ の は が を に へ と で も から まで より など や けど しかし でも ので のに
    これ それ あれ どれ この その あの どの ここ そこ あそこ どこ 何 なに なん 誰 だれ いつ なぜ どう どうして すごい 素晴らしい 素敵 最高 完璧 完了 正解 正しい 確認 確か 確 助かり 助 嬉しい 楽しい 面白い こんにちは こんばんは おはよう おやすみなさい おやすみ さようなら またね また じゃあ じゃ では
    今日 明日 昨日 今 後 先 前 時 元気 お疲れ様 お疲れさま 疲 様 さん 私 僕 俺 あなた 君 彼 彼女 みんな する した して しない やって やる できる できた なる なった いる いて ある あった ない とても すぐ もう まだ 少し ちょっと たくさん 一緒 全部 全然 本当 絶対 多分 もちろん 当然 賛成 同意 オーケー オッケー オケ ナイス グッド サンキュー バイバイ ハロー 笑 草 思 言 見 行 来 聞 感謝 失礼 すみません ごめんなさい ごめん 申し訳 いた い 出 入 方 事 こと もの
    あはは あら ありゃ いただきます うれしい うわあ えっと えらい えー おかえり おっと おめでとう おめでとうございます お先 お見事 がんばって がんばろう ごちそうさま ごめんね さすが しまった すごっ
    すばらしい せっかく そっか それじゃ それでは ただいま ちなみに とりあえず なんて なんと はぁ ははは ばっちり ほっと ほら ほんと まぁ まさか みごと めっちゃ もしもし やばい やれやれ ゆっくり
    よかった よし よっしゃ わあ わーい ウケる マジ ヤバい 失礼します 嬉し 待って 急が 恐縮 感動 感激 気にしない
    爆笑 笑った 頑張って`,
};

const WORDS = new Set(
  Object.values(SPACED).flatMap((words) => foldTalk(words.normalize('NFKC')).split(/\s+/)),
);
/** Longest first: a phrase is taken out before its parts. */
const PHRASES = new RegExp(
  Object.values(UNSPACED)
    .flatMap((words) => words.split(/\s+/))
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'gu',
);
const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;
const CHUNK = /[^\s,;!?¿¡…()，。！？、]+/gu;
/** Hiragana of this length or less is mostly the ending of a word. */
const ENDING = 3;

/** The words of a text that name something, in their order and as they are written. Empty for an acknowledgement. */
export function tellingWords(text: string): string[] {
  return (text.normalize('NFKC').match(CHUNK) ?? []).flatMap(tellingIn);
}

/** Whether a text names something: the same as whether it has such words, and quicker to tell. */
export function tellsAnything(text: string): boolean {
  for (const [chunk] of text.normalize('NFKC').matchAll(CHUNK)) if (tellingIn(chunk).length > 0) return true;
  return false;
}

const tellingIn = rememberWords((chunk): readonly string[] => {
  const runs = chunk.match(RUN);
  if (runs) return [...runs.flatMap(tellingPieces), ...tellingWords(chunk.replaceAll(RUN, ' '))];
  return isTalk(chunk) ? [] : [chunk];
});

function tellingPieces(run: string): string[] {
  const pieces = run.replaceAll(PHRASES, ' ').split(' ');
  return pieces.filter(
    (piece) => /[\p{Script=Han}\p{Script=Katakana}]/u.test(piece) || piece.length > ENDING,
  );
}

/** Parts of a contraction are talk if each is: "don't", "s'il". A path or a name with signs is not. */
function isTalk(chunk: string): boolean {
  if (/[\p{L}\p{N}][_/\\.:@#][\p{L}\p{N}]/u.test(chunk)) return false;
  const parts = foldTalk(chunk).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return parts.every((part) => WORDS.has(part) || WORDS.has(unstretch(part)) || isSound(part));
}

/** "okaaay" is "okay". */
function unstretch(word: string): string {
  return word.replaceAll(/(\p{L})\1{2,}/gu, '$1');
}

/** One letter, or laughter. */
function isSound(word: string): boolean {
  return /^(?:\p{L}|(?:[hj]?[aeio]h?[hj]){2,}[aeio]?|[hj][aeio][hj][aeio]|(?:rs|ks|xa|x?d|ха|хе|хи)+х?|k{2,}|w{2,}|[ㅋㅎㅠㅜᄏ휴ᅮ]+|l+o+l+)$/u.test(
    word,
  );
}

/** Without case and accents, as the words of talk are listed. */
export function foldTalk(text: string): string {
  const plain = text.toLowerCase().replaceAll('ß', 'ss').normalize('NFD');
  return plain.replaceAll(/[\u0300-\u036f]/g, '').normalize('NFC');
}
