// Every UTF-16 code unit has a kind and a symbol. The kind moves the scanner the way o200k splits text into pieces:
// words with one character in front of them, three digits at a time, runs of punctuation, indents. The symbol says
// which character it is, as far as that matters for how well it merges with its neighbours: a letter of one of the
// alphabets below, an ASCII mark, or any letter of one of the other scripts.

export const KIND = {
  lower: 0,
  upper: 1,
  /** A letter of a script that is scanned without case. */
  script: 2,
  space: 3,
  /** Any other blank that does not end a line. */
  tab: 4,
  newline: 5,
  digit: 6,
  mark: 7,
  apostrophe: 8,
  /** Not a character: what comes after the last one. */
  end: 9,
} as const;
export type Kind = (typeof KIND)[keyof typeof KIND];
export const KINDS = 10;

/** Room for symbols; a power of two, so that two of them make an index. */
export const SYMBOL_BITS = 9;
/** Line ends, digits and control characters. */
const NO_SYMBOL = 0;
export const SPACE_SYMBOL = 1;

/** Letters that are distinguished. Code units in `folds` count as one of them; later folds win over earlier ones. */
interface Alphabet {
  readonly letters: string;
  readonly folds: readonly (readonly [ranges: string, letter: string])[];
  readonly cased: boolean;
}

const ALPHABETS: Readonly<Record<string, Alphabet>> = {
  latin: {
    letters: 'abcdefghijklmnopqrstuvwxyzéçşạ\u0301',
    folds: [
      ['c0-d6 d8-f6 f8-ff', 'é'],
      ['c7 d0 d1 de df e7 f0 f1 fe', 'ç'],
      ['100-17f', 'ş'],
      ['180-2af 1e00-1eff', 'ạ'],
      ['2b0-2ff', '\u0301'],
      ['300-304 306 308-30a 30c 323 327 32d', '\u0301'],
    ],
    cased: true,
  },
  greek: {
    letters: 'αβγδεζηθικλμνξοπρςστυφχψωάέήίόύώ',
    folds: [['370-3ff 1f00-1fff', 'ώ']],
    cased: true,
  },
  cyrillic: {
    letters: 'абвгдежзийклмнопрстуфхцчшщыьюяі',
    folds: [
      ['400-52f', 'і'],
      ['401 451', 'е'],
      ['42a 44a', 'ь'],
      ['42d 44d', 'щ'],
    ],
    cased: true,
  },
  arabic: {
    letters: 'ابتثجحخدذرزسشصضطظعغفقكلمنهويةىأإآءئؤپچگکی\u064b\u0671',
    folds: [
      ['620-64a 671-6d3 fb50-fdff fe70-fefc', '\u0671'],
      ['64b-65f', '\u064b'],
    ],
    cased: false,
  },
  devanagari: {
    letters: 'कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहअआइईउऊएऐओऔािीुूेैोौ्ंँ़',
    folds: [['900-963', 'औ']],
    cased: false,
  },
  tamil: {
    letters: 'அஆஇஈஉஊஎஏஐஒஓகஙசஜஞடணதநனபமயரறலளழவஷஸஹாிீுூெேைொோ்',
    folds: [['b82-bd7', 'ஹ']],
    cased: false,
  },
  georgian: {
    letters: 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ',
    folds: [['10a0-10ff 1c90-1cbf 2d00-2d2f', 'ჰ']],
    cased: true,
  },
  armenian: {
    letters: 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև',
    folds: [['531-588', 'և']],
    cased: true,
  },
};

const ASCII_MARKS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** Ranges of code units, first and last. Later lines win where they overlap. */
const MARKS: Readonly<Record<string, string>> = {
  'other mark': '80-ffff',
  control: '0-8 e-1f 7f',
  escape: '1b',
  'Latin-1 mark': '80-bf d7 f7',
  dash: '2010-2027 2030-205e',
  'CJK mark': '3001-3004 3008-303f',
  fullwidth: 'ff00-ff65',
  'rare accent': '305 307 30b 30d-322 324-326 328-32c 32e-36f 1ab0-1aff 1dc0-1dff 20d0-20ff',
  'sign in two': '2070-20cf 2100-2bff',
  'sign in three': '2350-23ff 26c0-26ff 27c0-2aff 2b50-2bff 3190-319f 3200-33ff e000-f8ff',
  sign: '=₂₪€₹℃№™←↑→↓⇒∀∆−∙√∞∨≈≤≥≫①②③④⑤│┃├┣║╗╝▀▄▋░▒▓□▪▫▬▲△▶▷►▼▽◆◇○◎●★☆☎☴☺♀♂♡♥♦♪♫✅✓✔✨❤➡⭐⭕',
  'emoji D83C': 'd83c',
  'emoji D83D': 'd83d',
  'emoji D83E': 'd83e',
  'high surrogate': 'd800-d83b d880-dbff',
  'low surrogate': 'dc00-dfff',
  invisible: '200b-200f 2028-202e 2060-206f feff',
  joiner: '200d',
  selector: 'fe00-fe0f',
};

/** Marks that people draw lines with: a run of them is hardly more than one. */
const RUNS: Readonly<Record<string, string>> = { line: '=─━═', block: '=█■' };

// Chinese text in traditional characters costs a third more than in simplified ones. These are the most common ones
// that neither simplified Chinese nor Japanese writes, enough to tell the two apart within a few sentences.
const TRADITIONAL =
  '個為案檔這數會們專來參將檢資屬於錄對訊稱請與內應碼發徑匯傳單頁變當顯關從網該獻貢運執覽沒寫實讓瀏則體麼爲給讀樣說輸' +
  '裝處點號錯預員啟譯註區還轉籤圖裡學庫狀尋僅協產兩著經閱幫權伺據戶隱創條擇斷簽釋陣嗎證螢獲舉儲陳圍續遞夠務驗嘗刪靜舊' +
  '遠鈕冊礙帶繼擴覺聯詢聽輯迴針邊隨總腳擷徵紀歡擊觸絕雜團畫觀蓋隊餘擁額訴遊盡談廣聲國灣臺萬樂氣兒買賣錢歲醫黨爾';

// These mostly end up in one token with a neighbour. Technical text is full of them, other text is not.
const MERGING_HAN =
  '一下不业东两个串么义事些交产享京什仕代以们件企何作使供価允元免全公共关具决况准函创利别制功加务动包区协参发变口另只可司合' +
  '后否含员味品响哪唯問善因国块報場增士声备复够如始字存学安完定实容对対属工己帮常平幸序应府开录影径律心必応态息情成我户所执' +
  '护报择括拿指据授接控描提操政效数整文料新方施易显更最服望本术机权析果标样检植様模比求没法注津活测浏消添湾然片版状献环现理' +
  '甚用电男画界目直看知码研确示称究站符第答策签简管类素細紹组经结统维网置育能自般节范获表要规览解設評詳説计认议许论设访试误' +
  '说读调象贡资转载输达过运这进追途通速連避重错问间限電需題页项须题香默';
const MERGING_HANGUL = '다는하니로서사으용습적라들되합게트입프터었파했회며됩까젝페번였았므째';

/** Each script with its classes of letters. */
const SCRIPTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Hebrew: { Hebrew: '591-5ea' },
  Bengali: { Bengali: '981-9e3' },
  Gurmukhi: { Gurmukhi: 'a00-a65' },
  Gujarati: { Gujarati: 'a80-ae5' },
  Odia: { Odia: 'b00-b65' },
  Telugu: { Telugu: 'c00-c65' },
  Kannada: { Kannada: 'c80-ce5' },
  Malayalam: { Malayalam: 'd00-d65' },
  Sinhala: { Sinhala: 'd80-dff' },
  Thai: { Thai: 'e01-e3a e40-e4e' },
  Lao: { Lao: 'e81-ede' },
  Burmese: { Burmese: '1000-109f' },
  Ethiopic: { Ethiopic: '1200-139f' },
  Khmer: { Khmer: '1780-17d3' },
  'other script': { 'other script': '700-7ff f00-fff' },
  'rare script': {
    'rare script':
      '800-8ff 1100-11ff 1380-177f 1800-1aaf 1b00-1c8f 1cc0-1dbf 2c00-2cff 2d30-2dff 31a0-31bf a000-abff d7b0-d7ff',
  },
  Hangul: { Hangul: 'ac00-d7a3', 'Hangul merging': `=${MERGING_HANGUL}` },
  Han: {
    Han: '4e00-9fff 3005-3007',
    'Han merging': `=${MERGING_HAN}`,
    'Han traditional': `=${TRADITIONAL}`,
    'Han rare': '3400-4dbf f900-faff 2e80-2fd5',
    'Han far': 'd840-d87f',
  },
  Hiragana: { Hiragana: '3041-309f' },
  Katakana: { Katakana: '30a1-30ff 31f0-31ff ff66-ff9f' },
};

/** A run of symbols that are distinguished from each other. */
export interface SymbolGroup {
  readonly name: string;
  readonly first: number;
  readonly size: number;
}

export interface CharacterTable {
  /** `kind << SYMBOL_BITS | symbol` for every code unit. */
  readonly characters: Uint16Array;
  readonly symbolNames: readonly string[];
  /** The alphabets, then the ASCII marks. All other marks and letters come after them. */
  readonly groups: readonly SymbolGroup[];
  readonly scriptNames: readonly string[];
  /** The place of a symbol's script, or of its sort of line, in `scriptNames`, or -1. */
  readonly scriptOf: Int8Array;
}

export function createCharacterTable(): CharacterTable {
  const characters = new Uint16Array(0x10000).fill((KIND.mark << SYMBOL_BITS) | NO_SYMBOL);
  const symbolNames = ['', ' '];
  const groups: SymbolGroup[] = [];
  const scriptOf = new Int8Array(1 << SYMBOL_BITS).fill(-1);
  const fill = (kind: Kind, symbol: number, ranges: string) => {
    for (const [from, to] of rangesIn(ranges)) characters.fill((kind << SYMBOL_BITS) | symbol, from, to + 1);
  };
  const add = (name: string, kind: Kind, ranges: string) => {
    const symbol = symbolNames.push(name) - 1;
    fill(kind, symbol, ranges);
    return symbol;
  };
  const addGroup = (name: string, symbols: string) => {
    const first = symbolNames.push(...symbols) - symbols.length;
    groups.push({ name, first, size: symbols.length });
    return first;
  };
  const firstLetters = Object.entries(ALPHABETS).map(([name, { letters }]) => addGroup(name, letters));
  const firstMark = addGroup('marks', ASCII_MARKS);
  for (const [name, ranges] of Object.entries(MARKS)) add(name, KIND.mark, ranges);
  for (const [index, mark] of [...ASCII_MARKS].entries()) {
    fill(mark === "'" ? KIND.apostrophe : KIND.mark, firstMark + index, `=${mark}`);
  }
  for (const [script, classes] of Object.values(SCRIPTS).entries()) {
    for (const [name, ranges] of Object.entries(classes)) scriptOf[add(name, KIND.script, ranges)] = script;
  }
  const scriptNames = Object.keys(SCRIPTS);
  for (const [name, ranges] of Object.entries(RUNS)) {
    scriptOf[add(name, KIND.mark, ranges)] = scriptNames.push(name) - 1;
  }
  fill(KIND.newline, NO_SYMBOL, 'a d');
  fill(KIND.digit, NO_SYMBOL, '30-39');
  fill(KIND.tab, SPACE_SYMBOL, '9 b-c 85 a0 1680 2000-200a 202f 205f 3000');
  fill(KIND.space, SPACE_SYMBOL, '20');
  for (const [index, alphabet] of Object.values(ALPHABETS).entries()) {
    fillAlphabet(characters, { ...alphabet, first: firstLetters[index]! });
  }
  return { characters, symbolNames, groups, scriptNames, scriptOf };
}

function fillAlphabet(characters: Uint16Array, alphabet: Alphabet & { first: number }): void {
  const { letters, folds, cased, first } = alphabet;
  const fill = (code: number, symbol: number) => {
    const letter = String.fromCharCode(code);
    const kind = !cased ? KIND.script : letter === letter.toLowerCase() ? KIND.lower : KIND.upper;
    characters[code] = (kind << SYMBOL_BITS) | symbol;
  };
  for (const [ranges, letter] of folds) {
    for (const [from, to] of rangesIn(ranges)) {
      for (let code = from; code <= to; code++) fill(code, first + letters.indexOf(letter));
    }
  }
  for (const [index, letter] of [...letters].entries()) {
    fill(letter.charCodeAt(0), first + index);
    if (letter.toUpperCase().length === 1) fill(letter.toUpperCase().charCodeAt(0), first + index);
  }
}

/** `a-f 20` in hexadecimal, or the characters themselves after an equals sign. */
function rangesIn(ranges: string): [from: number, to: number][] {
  if (ranges.startsWith('=')) {
    return [...ranges.slice(1)].map((letter) => [letter.charCodeAt(0), letter.charCodeAt(0)]);
  }
  return ranges.split(' ').map((range) => {
    const [from, to = from] = range.split('-').map((code) => Number.parseInt(code, 16));
    return [from!, to!];
  });
}
