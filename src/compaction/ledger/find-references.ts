const URL_LIKE = /\bhttps?:\/\/[^\s<>"'`\])}|\\]{1,2000}/g;
const MOST = 40;

export function findUrls(text: string): string[] {
  if (!text.includes('://')) return [];
  return distinct(text, URL_LIKE).map((url) => url.replace(/[.,;:!?*_]+$/, ''));
}

/** Each kind of identifier, behind a cheap look for what it cannot do without: most texts hold none. */
const IDENTIFIERS: readonly { readonly might: RegExp; readonly pattern: RegExp }[] = [
  {
    might: /-[0-9a-f]{4}-/i,
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  },
  // Commits: letters and digits mixed, so that neither words nor plain numbers pass.
  {
    might: /[a-f]\d|\d[a-f]/,
    pattern: /(?<![\p{L}\p{N}_/.-])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\p{L}\p{N}_-])/gu,
  },
  { might: /\w#\d/, pattern: /\b[\w.-]{1,60}\/[\w.-]{1,60}#\d{1,6}\b/g },
  { might: /#\d/, pattern: /(?<![\p{L}\p{N}&/#])#\d{1,6}\b/gu },
  { might: /[RetgM] #?\d/, pattern: /\b(?:PR|pull request|issue|ticket|bug|MR) #?\d{1,6}\b/gi },
  { might: /[A-Z0-9]-\d/, pattern: /\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b(?!-)/g },
  {
    might: /@v?\d/,
    pattern: /(?<![\p{L}\p{N}_.-])(?:@[\w-]+\/)?[a-z][\w.-]{0,80}@v?\d+(?:\.\d+)*(?:-[\w.]+)?/giu,
  },
  {
    might: /\d\.\d/,
    pattern: /(?<![\p{L}\p{N}_.@-])(?:v\d+(?:\.\d+)+|\d+\.\d+\.\d+)(?:-[\w.]+)?(?![\p{L}\p{N}_]|\.\d)/gu,
  },
  { might: /[A-Z]_[A-Z]/, pattern: /(?<![\p{L}\p{N}_])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\p{L}\p{N}_])/gu },
];

/** Names that only make sense verbatim: ids, commits, issues, tickets, versions, environment variables. */
export function findIdentifiers(text: string): string[] {
  if (!/\d|_/.test(text)) return [];
  const found = IDENTIFIERS.flatMap(({ might, pattern }) =>
    might.test(text) ? distinct(text, pattern) : [],
  );
  return [...new Set(found)].filter((name) => !COMMON.test(name)).slice(0, MOST);
}

// Shapes of identifiers that are ordinary words of the trade.
const COMMON = /^(?:UTF|ISO|SHA|RFC|HTTP|COVID|ES|MD|GPT|AES|RSA|X|A|P|H|T|UTC|GMT)-?\d{1,3}$/i;

function distinct(text: string, pattern: RegExp): string[] {
  const found = new Set<string>();
  for (const [match] of text.matchAll(pattern)) {
    if (found.size >= MOST) break;
    found.add(match);
  }
  return [...found];
}
