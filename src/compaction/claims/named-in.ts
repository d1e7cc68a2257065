import { findIdentifiers, findUrls, isEmpty } from '../../text/index.ts';
import { findCode, findNames } from '../retention/find-names.ts';
import { withoutFrame } from './claim-content.ts';

/** What a line names in so many words that it must have read them somewhere. */
export type NamedKind = 'number' | 'words' | 'exact' | 'path' | 'quote' | 'name';
interface Named {
  readonly kind: NamedKind;
  readonly said: string;
}

export const NUMBER = /(?<![\p{L}\p{N}_])\d+(?:[,.'’ ]\d{3}(?!\d))*(?:\.\d+)?/gu;
const EXTENSION =
  '(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|exs?|swift|cs|cpp|hpp|md|json|ya?ml|toml|ini|conf|lock|sql|sh|css|html|txt|csv|xml)';
const PATH = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_/.])(?:[\w@.-]*\/)+[\w@-]+(?:\.\w+)+`,
    // Without an ending, what has two strokes is a path; one stroke may be an "or".
    String.raw`(?<![\p{L}\p{N}_/.:<])(?:~|\.{1,2})?\/?[\w@.-]+(?:\/[\w@.-]+){2,}(?!\p{L})`,
    String.raw`(?<![\p{L}\p{N}_/.-])[\w-]+(?:\.[\w-]+)*\.${EXTENSION}\b`,
    String.raw`(?<![\p{L}\p{N}_/-])\.[a-z]\w+(?:\.\w+)+\b`,
    String.raw`(?<![\p{L}\p{N}_/.-])(?:Dockerfile|Makefile|Procfile)\.\w+`,
  ].join('|'),
  'gu',
);
/** Names of code without code marks: two words in one, a call, an option of a command. */
const CODE =
  /(?<![\p{L}\p{N}_/.@#-])(?:[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[\w.]*\w(?=\(\)))(?![\p{L}\p{N}_/])|(?<![\p{L}\p{N}_-])--[a-z][\w-]+/gu;
const QUOTE =
  /"([^"\n]+)"|“([^“”\n]+)”|„([^„“”\n]+)[“”]|「([^「」\n]+)」|«([^«»\n]+)»|(?<![\p{L}\p{N}])['‘]([^'‘’\n]+)['’](?![\p{L}\p{N}])/gu;
const QUOTED_WORDS = 3;
/** A word of a script without spaces has about two signs. */
const QUOTED_SIGNS = 6;
/** German writes every noun with a capital. */
const GERMAN = /\b(?:der|die|das|den|dem|und|ist|wird|wurde|nicht|für|mit|von|ein|eine)\b/i;
/** Who does what people do is a person: at the start of a sentence a capital alone is no name. */
const PERSON =
  /(?:^|[.!?]\s+|^\p{L}+:\s)(\p{Lu}\p{Ll}{2,}(?: \p{Lu}\p{Ll}{2,}){0,2}) (?:will|wants?|wanted|said|says|asked|agreed|approved|owns?|decided|prefers?|suggested|promised|reviewed|reviews|thinks|confirmed|reported|insists|objected|hat|wird|will|möchte|sagt\p{L}*|meint|prüft|va|veut|a dit|quiere|dijo|pidió|quer|disse|pediu|vuole|ha detto|хочет|сказал\p{L}*|просил\p{L}*)(?!\p{L})/gu;

/** What a line names: figures, identifiers, names of code and people, paths, longer quotations. */
export function namedIn(text: string): Named[] {
  const of = (kind: NamedKind, found: readonly string[]) => found.map((said) => ({ kind, said }));
  const paths = [...text.matchAll(PATH)].flatMap(([path]) => (/\p{L}/u.test(path) ? [path] : []));
  const exact = [...findUrls(text), ...findIdentifiers(text)];
  const code = findCode(text);
  const quotes = [...text.matchAll(QUOTE)].flatMap((spans) => spans.slice(1).find(Boolean) ?? []);
  const long = quotes.filter(isLong);
  const without = (parts: readonly string[]) => parts.reduce((left, one) => left.replaceAll(one, ' '), text);
  const rest = without([...exact, ...code, ...paths, ...long]);
  const bare = [...rest.matchAll(CODE)].map(([name]) => name);
  return [
    ...of('exact', exact),
    ...of('words', [...code, ...bare]),
    ...of('path', paths),
    ...of('quote', long),
    ...of('number', rest.match(NUMBER) ?? []),
    ...of('name', [...(GERMAN.test(text) ? [] : namesIn(rest)), ...peopleIn(rest)]),
  ];
}

function isLong(quote: string): boolean {
  return (
    quote.trim().split(/\s+/).length >= QUOTED_WORDS ||
    (quote.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0) >= QUOTED_SIGNS
  );
}

function namesIn(text: string): string[] {
  return findNames(text).filter((name) => /\S/.test(withoutFrame(name)));
}

function peopleIn(text: string): string[] {
  return [...text.matchAll(PERSON)].flatMap(([, name]) =>
    isEmpty(name!.toLowerCase()) || !/\S/.test(withoutFrame(name!)) ? [] : [name!],
  );
}
