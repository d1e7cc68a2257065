/** A sentence of the person that every later summary has to keep, what the agent says to it, and the words to look for. */
export type Fact = readonly [said: string, heard: string, mark: string];

export interface Talk {
  /** Facts with words that make them a rule, a decision or an open point. */
  readonly cued: readonly Fact[];
  /** Facts that are merely told. */
  readonly plain: readonly Fact[];
  readonly small: readonly (readonly [asked: string, answer: string])[];
  /** Small talk of many wordings: each of these about each of the things. */
  readonly things: readonly string[];
  readonly remarks: readonly (readonly [asked: (thing: string) => string, answer: string])[];
  /** Said behind every line of small talk, so that it takes room. */
  readonly padding: string;
  /** What a model that forgets writes of it. */
  readonly forgetful: string;
}

const en: Talk = {
  cued: [
    ['Decision: invoices are numbered per year and branch.', 'Noted.', 'per year and branch'],
    ['Never restart the print server before six.', 'Understood.', 'print server'],
    ['We agreed to keep the exporter in Rust.', 'Okay.', 'Rust'],
    ['Always write commit messages in the imperative.', 'Will do.', 'imperative'],
    ['Do not rename the column acct_ref.', 'Alright, it keeps its name.', 'acct_ref'],
    ["Let's go with MessagePack on the wire.", 'Good choice.', 'MessagePack'],
    ['Decision: logs are kept for 400 days.', 'Got it.', '400 days'],
    ['Remind me to call Oyelaran about the keys.', 'I will.', 'Oyelaran'],
    ['From now on reports go to ops-north.', 'Fine.', 'ops-north'],
    ['We decided against supporting Windows 8.', 'Makes sense.', 'Windows 8'],
  ],
  plain: [
    ['The staging box is called heron.', 'Thanks, heron it is.', 'heron'],
    ['Our fiscal year starts in April.', 'Good to know.', 'April'],
    ['The importer reads at most 40 files at once.', 'Okay.', '40 files'],
    ['Tamsin owns the billing module.', 'Got it.', 'Tamsin'],
    ['The customer in Graz wants PDF/A.', 'I see.', 'Graz'],
    ['There are two warehouses, one in Lübeck and one in Pisa.', 'Alright.', 'Lübeck'],
    ['The old interface goes away on 3 March.', 'Understood.', '3 March'],
    ['I am colour-blind, red and green look alike to me.', 'Thank you for telling me.', 'colour-blind'],
    ['The nightly job runs at 02:40.', 'Noted.', '02:40'],
    ['Passwords are hashed with argon2id.', 'Makes sense.', 'argon2id'],
  ],
  small: [
    ['How is the weather over there?', 'Grey, as always.'],
    ['I had a good coffee just now.', 'That sounds nice.'],
    ['The train was late again today.', 'How annoying.'],
    ['Do you like jazz?', 'I know a lot about it.'],
    ['My plants are growing well.', 'Good to hear.'],
  ],
  things: ['The train', 'The coffee', 'The garden', 'The film', 'The market', 'My bicycle', 'The new bakery'],
  remarks: [
    [(thing) => `${thing} was lovely today.`, 'That sounds nice.'],
    [(thing) => `${thing} made me laugh again.`, 'Good for you.'],
    [(thing) => `${thing} again, what do you think?`, 'Hard to say from here.'],
    [(thing) => `${thing} and I, we are old friends by now.`, 'I can imagine.'],
    [(thing) => `${thing} was a disappointment this morning.`, 'How annoying.'],
    [(thing) => `Thanks! ${thing} is worth a story.`, 'You are welcome.'],
  ],
  padding: ' It reminds me of a long story that was told on the way home, with many turns and no real end.',
  forgetful: 'They talked about the weather, the coffee and the train.',
};

const de: Talk = {
  cued: [
    ['Entscheidung: Rechnungen werden je Jahr und Filiale gezählt.', 'Notiert.', 'Jahr und Filiale'],
    ['Starte den Druckserver nie vor sechs Uhr neu.', 'Verstanden.', 'Druckserver'],
    ['Wir haben beschlossen, den Exporter in Rust zu lassen.', 'Gut.', 'Rust'],
    ['Schreib Commits immer auf Englisch.', 'Mache ich.', 'auf Englisch'],
    ['Die Spalte acct_ref darf nicht umbenannt werden.', 'Alles klar.', 'acct_ref'],
    ['Wir nehmen MessagePack auf der Leitung.', 'Gute Wahl.', 'MessagePack'],
    ['Entscheidung: Protokolle bleiben 400 Tage.', 'In Ordnung.', '400 Tage'],
    ['Erinnere mich daran, Oyelaran wegen der Schlüssel anzurufen.', 'Ja.', 'Oyelaran'],
    ['Ab jetzt gehen Berichte an ops-nord.', 'Gut.', 'ops-nord'],
    ['Wir haben uns gegen Windows 8 entschieden.', 'Klingt sinnvoll.', 'Windows 8'],
  ],
  plain: [
    ['Der Testrechner heißt Reiher.', 'Danke, Reiher also.', 'Reiher'],
    ['Unser Geschäftsjahr beginnt im April.', 'Gut zu wissen.', 'April'],
    ['Der Importer liest höchstens 40 Dateien auf einmal.', 'Okay.', '40 Dateien'],
    ['Tamsin kümmert sich um die Abrechnung.', 'Verstanden.', 'Tamsin'],
    ['Der Kunde in Graz will PDF/A.', 'Ich verstehe.', 'Graz'],
    ['Es gibt zwei Lager, eins in Lübeck und eins in Pisa.', 'Gut.', 'Lübeck'],
    ['Die alte Schnittstelle fällt am 3. März weg.', 'Verstanden.', '3. März'],
    ['Ich bin farbenblind, Rot und Grün sehen für mich gleich aus.', 'Danke für den Hinweis.', 'farbenblind'],
    ['Der nächtliche Lauf beginnt um 02:40.', 'Notiert.', '02:40'],
    ['Passwörter werden mit argon2id gehasht.', 'Klingt sinnvoll.', 'argon2id'],
  ],
  small: [
    ['Wie ist das Wetter bei dir?', 'Grau wie immer.'],
    ['Ich hatte gerade einen guten Kaffee.', 'Das klingt schön.'],
    ['Der Zug war heute wieder spät.', 'Wie ärgerlich.'],
    ['Magst du Jazz?', 'Ich weiß einiges darüber.'],
    ['Meine Pflanzen wachsen gut.', 'Schön zu hören.'],
  ],
  things: [
    'Der Zug',
    'Der Kaffee',
    'Der Garten',
    'Der Film',
    'Der Markt',
    'Mein Fahrrad',
    'Die neue Bäckerei',
  ],
  remarks: [
    [(thing) => `${thing} war heute herrlich.`, 'Das klingt schön.'],
    [(thing) => `${thing} hat mich wieder zum Lachen gebracht.`, 'Das freut mich.'],
    [(thing) => `${thing} schon wieder, was meinst du?`, 'Schwer zu sagen.'],
    [(thing) => `${thing} und ich, wir sind alte Freunde.`, 'Das kann ich mir vorstellen.'],
    [(thing) => `${thing} war heute früh eine Enttäuschung.`, 'Wie ärgerlich.'],
    [(thing) => `Danke! ${thing} ist eine Geschichte wert.`, 'Gern geschehen.'],
  ],
  padding:
    ' Das erinnert mich an eine lange Geschichte vom Heimweg, mit vielen Wendungen und ohne ein richtiges Ende.',
  forgetful: 'Sie sprachen über das Wetter, den Kaffee und den Zug.',
};

const ja: Talk = {
  cued: [
    ['決定：請求書は年と支店ごとに番号を付けます。', '了解しました。', '年と支店ごと'],
    ['印刷サーバーは六時前に絶対に再起動しないでください。', '承知しました。', '印刷サーバー'],
    ['エクスポーターはRustのままにすると決めました。', 'わかりました。', 'Rust'],
    ['コミットは必ず英語で書いてください。', 'はい。', '英語で'],
    ['acct_ref列の名前は変えないでください。', '了解です。', 'acct_ref'],
    ['通信形式はMessagePackにしましょう。', 'いいですね。', 'MessagePack'],
    ['決定：ログは400日間保存します。', '了解しました。', '400日'],
    ['鍵のことで小笠原さんに電話するのを忘れないように言ってください。', 'はい。', '小笠原'],
    ['今後、報告書はops-northに送ります。', 'わかりました。', 'ops-north'],
    ['Windows 8には対応しないことに決めました。', 'なるほど。', 'Windows 8'],
  ],
  plain: [
    ['検証用のマシンは青鷺という名前です。', 'ありがとうございます。', '青鷺'],
    ['うちの会計年度は四月に始まります。', '了解です。', '四月'],
    ['取り込みは一度に最大40ファイルまで読みます。', 'わかりました。', '40ファイル'],
    ['請求モジュールの担当は田村さんです。', '了解しました。', '田村'],
    ['グラーツの顧客はPDF/Aを希望しています。', 'なるほど。', 'グラーツ'],
    ['倉庫は二つあり、リューベックとピサにあります。', 'はい。', 'リューベック'],
    ['古い窓口は3月3日に終わります。', '承知しました。', '3月3日'],
    ['私は色覚異常で、赤と緑が同じに見えます。', '教えてくれてありがとうございます。', '色覚異常'],
    ['夜間処理は02:40に動きます。', '了解しました。', '02:40'],
    ['パスワードはargon2idでハッシュしています。', 'なるほど。', 'argon2id'],
  ],
  small: [
    ['そちらの天気はどうですか？', 'いつもどおり曇りです。'],
    ['さっきおいしいコーヒーを飲みました。', 'それはいいですね。'],
    ['今日も電車が遅れました。', 'それは大変でしたね。'],
    ['ジャズは好きですか？', 'よく知っています。'],
    ['植物がよく育っています。', 'それはよかったです。'],
  ],
  things: ['電車', 'コーヒー', '庭', '映画', '市場', '自転車', '新しいパン屋'],
  remarks: [
    [(thing) => `${thing}は今日とてもよかったです。`, 'それはいいですね。'],
    [(thing) => `${thing}にまた笑わされました。`, 'よかったですね。'],
    [(thing) => `また${thing}の話ですが、どう思いますか？`, 'ここからは何とも言えません。'],
    [(thing) => `${thing}とはもう古い友達です。`, '想像できます。'],
    [(thing) => `${thing}には今朝がっかりしました。`, 'それは残念でしたね。'],
    [(thing) => `ありがとう！${thing}は話す価値があります。`, 'どういたしまして。'],
  ],
  padding: '帰り道に聞いた長い話を思い出します。いろいろなことが起きて、終わりのない話でした。',
  forgetful: '天気とコーヒーと電車について話しました。',
};

export const TALKS = { en, de, ja } as const;
export type Spoken = keyof typeof TALKS;
export const SPOKEN = Object.keys(TALKS) as Spoken[];
export const TELLINGS = ['cued', 'plain'] as const;
export type Telling = (typeof TELLINGS)[number];

export interface Told {
  readonly language: Spoken;
  readonly telling: Telling;
  /** Small talk with a number in every message, or of many wordings without any. */
  readonly talk: 'numbered' | 'varied';
}

/** The turn of a talk whose first ten turns tell the facts. `padded`: how much is said behind small talk. */
export function turnOf(
  { language, telling, talk }: Told,
  turn: number,
  padded = 0,
): readonly [said: string, heard: string] {
  const { [telling]: facts, small, things, remarks, padding } = TALKS[language];
  const fact = facts[turn];
  if (fact) return [fact[0], fact[1]];
  const more = padding.repeat(padded);
  if (talk === 'varied') {
    const [say, heard] = remarks[turn % remarks.length]!;
    return [say(things[turn % things.length]!) + more, heard + more];
  }
  const [asked, answer] = small[turn % small.length]!;
  return [`${asked} (${turn})${more}`, answer + more];
}

/** The marks of facts that do not stand in the text. */
export function missingIn(text: string, { language, telling }: Told): string[] {
  return TALKS[language][telling].flatMap(([, , mark]) => (text.includes(mark) ? [] : [mark]));
}

export const EVERY_TELLING: readonly Told[] = SPOKEN.flatMap((language) =>
  TELLINGS.flatMap((telling) =>
    (['numbered', 'varied'] as const).map((talk) => ({ language, telling, talk })),
  ),
);
