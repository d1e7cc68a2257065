// Porter's algorithm for suffix stripping (1980), as the recall measurements count words by it.
const CONSONANT = '(?:[^aeiouy]|(?<=[aeiou])y|^y)';
const VOWEL = '(?:[aeiou]|(?<![aeiou]|^)y)';
const ONCE = new RegExp(`^${CONSONANT}*${VOWEL}+${CONSONANT}`);
const EXACTLY_ONCE = new RegExp(`^${CONSONANT}*${VOWEL}+${CONSONANT}+${VOWEL}*$`);
const TWICE = new RegExp(`^${CONSONANT}*${VOWEL}+${CONSONANT}+${VOWEL}+${CONSONANT}`);
const HAS_VOWEL = new RegExp(VOWEL);
const SHORT_END = new RegExp(`${CONSONANT}${VOWEL}[^aeiouwxy]$`);

const SECOND: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};
const THIRD: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};
const FOURTH = 'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize'.split(' ');

export function porterStem(word: string): string {
  if (word.length < 3) return word;
  let stem = word;
  if (/(?:ss|i)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^s]s$/.test(stem)) stem = stem.slice(0, -1);
  stem = withoutPast(stem);
  if (/y$/.test(stem) && HAS_VOWEL.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaceEnd(stem, SECOND);
  stem = replaceEnd(stem, THIRD);
  stem = withoutLast(stem);
  if (stem.endsWith('e')) {
    const rest = stem.slice(0, -1);
    if (TWICE.test(rest) || (EXACTLY_ONCE.test(rest) && !SHORT_END.test(rest))) stem = rest;
  }
  return /ll$/.test(stem) && TWICE.test(stem) ? stem.slice(0, -1) : stem;
}

function withoutPast(word: string): string {
  if (/eed$/.test(word)) return ONCE.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const end = /(?:ed|ing)$/.exec(word);
  const rest = end ? word.slice(0, end.index) : '';
  if (!end || !HAS_VOWEL.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeiouylsz])\1$/.test(rest)) return rest.slice(0, -1);
  return EXACTLY_ONCE.test(rest) && SHORT_END.test(rest) ? `${rest}e` : rest;
}

function replaceEnd(word: string, ends: Readonly<Record<string, string>>): string {
  const longest = Object.keys(ends)
    .filter((end) => word.endsWith(end))
    .sort((a, b) => b.length - a.length)[0];
  if (longest === undefined) return word;
  const rest = word.slice(0, -longest.length);
  return ONCE.test(rest) ? rest + ends[longest] : word;
}

function withoutLast(word: string): string {
  const end = FOURTH.filter((suffix) => word.endsWith(suffix)).sort((a, b) => b.length - a.length)[0];
  if (end !== undefined) {
    const rest = word.slice(0, -end.length);
    return TWICE.test(rest) ? rest : word;
  }
  const rest = /[st]ion$/.test(word) ? word.slice(0, -3) : '';
  return rest && TWICE.test(rest) ? rest : word;
}
