const END = /[.!?…]+["'”’»)\]*_`]*\s+|[。！？｡]+[」』”）)]*\s*/gu;
/** Ends no sentence though a point stands behind it. */
const SHORT_FORM =
  /(?:^|[\s("'])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|excl|max|min|no|nr|fig|dr|mr|mrs|ms|st|z\.b|d\.h|u\.a|bzw|usw|ca|vgl|ggf|evtl|inkl|p\.ex|ej|p\.ej|sr|sra|art|т\.е|т\.д|[\p{Script=Latin}\p{Script=Cyrillic}]|\d{1,2})\.$/iu;
const MONTH =
  /^(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec|und\b|bis\b|oder\b|quartal|klasse|jahrhundert)/iu;

/** The sentences of one paragraph, as written. Chat begins sentences with small letters, so a point and a space can end one. */
export function sentencesOf(paragraph: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (const match of paragraph.matchAll(END)) {
    const end = match.index + match[0].length;
    const next = paragraph.slice(end, end + 12);
    if (!next || !ends(paragraph.slice(Math.max(start, match.index - 14), match.index + 1), next)) continue;
    found.push(paragraph.slice(start, end).trim());
    start = end;
  }
  const rest = paragraph.slice(start).trim();
  if (rest) found.push(rest);
  return found;
}

function ends(before: string, next: string): boolean {
  if (!before.endsWith('.')) return true;
  if (/^[)\],;]/.test(next)) return false;
  const short = SHORT_FORM.test(before);
  if (/\d\.$/.test(before)) return !(MONTH.test(next) || (/^\p{Ll}/u.test(next) && short));
  return !short;
}
