// Capitals in the middle of a sentence; at its start they name nothing.
const CAPITALS =
  /(?<=[\p{Ll}\p{N},;:)"”'’] ["“(]?)\p{Lu}[\p{L}\p{N}]+(?:[-'’]\p{L}+)*(?: \p{Lu}[\p{L}\p{N}]+(?:[-'’]\p{L}+)*){0,3}/gu;
const CODE = /`([^`\n]{2,60})`/g;
const KATAKANA = /[ァ-ヶー]{3,}/g;
const QUOTED = /[「『“"]([^「」『』“”"\n]{2,40})[」』”"]/g;
const MOST = 60;

/** Names of people, places, products and works in a text: capitals inside sentences, katakana, what stands in quotes. */
export function findNames(text: string): string[] {
  const found = new Set<string>();
  for (const pattern of [CAPITALS, KATAKANA]) {
    for (const [name] of text.matchAll(pattern)) {
      const plain = name.replace(/['’]s$/, '');
      if (found.size < MOST && !NO_NAME.test(plain)) found.add(plain);
    }
  }
  for (const [, name] of text.matchAll(QUOTED))
    if (found.size < MOST && /^\p{Lu}|\p{Lo}/u.test(name!)) found.add(name!);
  return [...found];
}

/** What stands in code marks: functions, options, files. */
export function findCode(text: string): string[] {
  if (!text.includes('`')) return [];
  const found = new Set<string>();
  for (const [, code] of text.matchAll(CODE)) {
    if (found.size < MOST && /[\p{L}\p{N}]{2}/u.test(code!)) found.add(code!.trim());
  }
  return [...found];
}

const NO_NAME =
  /^(?:I|I['’]\w+|OK|Okay|Yes|No|The|This|That|It|We|You|He|She|They|My|Your|Our|And|But|So|If|Let|Now|Then|TODO|Note)$/;
