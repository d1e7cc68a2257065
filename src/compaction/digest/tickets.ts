/** Things that a project numbers: `WP15`, `ABC-123`, `#482`; and runs of them, `WP18-WP20` or `WP18-20`. A standard is none. */
const TICKET =
  /(?<![\p{L}\p{N}_/.-])(?:(#)|(?!(?:UTF|ISO|IEC|DIN|SHA|RFC|HTTP|TLS|AES|RSA|GPT|UTC|GMT|ES|CVE)-?\d)(\p{Lu}{2,6}-?))(\d{1,6})(?:\s?(?:-|–|…|\.{2,3})\s?(?:#|\p{Lu}{2,6}-?)?(\d{1,6}))?(?![\p{L}\p{N}_/]|[.-]\p{N})/gu;
const LONGEST_RUN = 30;

/** What a ticket stands behind where it is only spoken of: "prepared for WP18". */
const BEFORE =
  /(?<!\p{L})(?:for|before|until|of|like|than|as|für|vor|bis|von|wie|als|pour|avant|de|para|antes|hasta|até|per|prima|fino|di|come|для|до|как)$/iu;
const MOST_AHEAD = 2;
/** Where the next part of a report begins. */
const PART = /;\s|(?<=[.!?])\s|(?<=[。！？])|→\s|,\s/u;

/** All that a text names, each member of a run alone. */
export function ticketsIn(text: string): string[] {
  return [...text.matchAll(TICKET)].flatMap(namesOf);
}

/** Those that a report is about, because it, a part of it or an item of it begins with them: "Fixed #482", "WP15: created". */
export function ticketsOf(report: string): string[] {
  return report.split(PART).flatMap((part) => {
    const plain = part.replace(/^\s*\[[^\]]*\]\s*/, '');
    const first = [...plain.matchAll(TICKET)][0];
    if (!first) return [];
    const ahead = plain.slice(0, first.index).trim();
    const isFar = ahead !== '' && ahead.split(/\s+/).length > MOST_AHEAD;
    return isFar || BEFORE.test(ahead) ? [] : namesOf(first);
  });
}

function namesOf([, mark, letters, from, to]: RegExpExecArray): string[] {
  const head = mark ?? letters!.replace('-', '');
  const [first, last] = [Number(from), Number(to ?? from)];
  if (last < first || last - first > LONGEST_RUN) return [`${head}${first}`];
  return Array.from({ length: last - first + 1 }, (_, at) => `${head}${first + at}`);
}
