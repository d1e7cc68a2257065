/** One thing that a text states, word for word: a sentence, or items of a list with the line that leads in to them. */
export interface Statement {
  readonly text: string;
  /** An item or several, and not a sentence of running text. */
  readonly listed: boolean;
  /** Statements of one list share it. */
  readonly list: number;
  readonly lead: string;
  /** The single items, where several share the text. */
  readonly items: readonly string[];
  /** Items that are ticked, or not; of other statements nothing is known. */
  readonly ticked?: boolean;
  /** The sentence that it follows without a space, as sentences of Chinese and Japanese do. */
  readonly gluedTo?: string;
}

const FENCE = /^[ \t]*(?:```|~~~)[^\n]*\n[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gm;
const ITEM = /^(\s*)(?:[-*+•–]|\d{1,3}[.)])\s+(?:\[([ xX✓])\]\s+)?(\S.*)$/;
const HEADING = /^\s{0,3}#{1,6}\s+(.+?)\s*#*$|^\s*\*\*([^*]{2,80})\*\*:?\s*$/;
const ROW = /^\s*[|│].*[|│]\s*$/;
const RULE = /^[\s|│:─┼├┤┌┐└┘┬┴━═+=_*-]+$/;
/** A stack frame, a line of a file as tools print it, a line of a diff, a tag. */
const DATA =
  /^\s*(?:<\/?[a-z][^<>]{0,300}>\s*|at \S.{0,300}:\d+:\d+\)?|\d{1,6}(?: ?[→│]|\||\t|:[ \t]).*|[+-]{3} \S+|@@ .*@@.*|diff --git .*)$/;
/** Space that is not one blank, as most is. */
const SPACES = /\s{2,}|[^\S ]/g;
const LONGEST_ITEM = 280;
const LONGEST_LEAD = 100;
const LONG_TITLE = 5;
/** Items of one list share a line up to this length. */
const PACKED = 220;

/**
 * What a text states, in its order. Code blocks, tables' rules, stack frames and copies of files state nothing. With `titles`
 * a long heading states something too: people who paste an issue say in its title what they want.
 */
export function readStatements(text: string, { titles = false }: { titles?: boolean } = {}): Statement[] {
  const prose = text.includes('```') || text.includes('~~~') ? text.replace(FENCE, '\n') : text;
  const reader = new Reader(titles);
  for (const line of prose.split(/\r?\n/)) reader.read(line);
  reader.end();
  return pack(qualifyLeads(reader.found));
}

class Reader {
  readonly #titles: boolean;
  readonly found: Headed[] = [];
  #paragraph: string[] = [];
  #item: { texts: string[]; ticked?: boolean } | undefined;
  #heading = '';
  #lead = '';
  #list = 0;
  /** The sentence with the colon that opened the list, and how much was stated before it. */
  #opened = '';
  #led = 0;
  /** Where the newest row of a table stands. */
  #row = -1;

  constructor(titles: boolean) {
    this.#titles = titles;
  }

  read(line: string): void {
    if (!line.trim()) {
      this.flush();
      return;
    }
    if (RULE.test(line)) {
      if (line.includes('|')) this.#dropTableHead();
      return;
    }
    if (DATA.test(line)) return;
    const heading = HEADING.exec(line);
    if (heading) {
      this.flush();
      const title = (heading[1] ?? heading[2])!;
      if (heading[1] !== undefined) this.#heading = plainMarks(title).replace(/^\d{1,2}[.)]\s+/, '');
      this.#begin(title);
      if (this.#titles && title.split(/\s+/).length >= LONG_TITLE) this.#opened = title;
      return;
    }
    if (ROW.test(line)) {
      this.flush();
      const cells = line.split(/[|│]/).map((cell) => cell.trim());
      this.#row = this.found.length;
      this.#add(cells.filter(Boolean).join(' | '), { listed: true });
      return;
    }
    const item = ITEM.exec(line);
    if (item) {
      if (!this.#item) this.#endParagraph();
      this.#endItem();
      this.#item = {
        texts: [item[3]!.trim()],
        ...(item[2] !== undefined && { ticked: item[2] !== ' ' }),
      };
    } else if (this.#item && /^\s/.test(line)) this.#item.texts.push(line.trim());
    else {
      this.#endItem();
      this.#paragraph.push(line.replace(/^\s*>+\s?/, '').trim());
    }
  }

  flush(): void {
    this.#endItem();
    this.#endParagraph();
  }

  end(): void {
    this.flush();
    this.#endLead();
  }

  /** The names of a table's columns, as the rule below them shows. */
  #dropTableHead(): void {
    if (this.#row >= 0 && this.#row === this.found.length - 1) this.found.pop();
    this.#row = -1;
  }

  #begin(lead: string): void {
    this.#endLead();
    this.#led = this.found.length;
    this.#lead = lead.length <= LONGEST_LEAD ? lead.replace(/[:：]$/, '') : '';
    this.#list++;
  }

  /** What led in to nothing, as before something pasted, is said for its own sake. */
  #endLead(): void {
    const lead = this.#opened;
    this.#opened = '';
    if (lead && this.#led === this.found.length) this.#add(lead, { listed: false });
  }

  /** The last sentence before a list leads in to it, if a colon says so; the others are statements. */
  #endParagraph(): void {
    if (this.#paragraph.length === 0) return;
    const paragraph = this.#paragraph.join(' ');
    const sentences = sentencesOf(paragraph);
    this.#paragraph = [];
    const last = sentences.at(-1)!;
    this.#endLead();
    const leads = /[:：][*_]*$/.test(last);
    this.#lead = '';
    this.#list++;
    for (const [at, sentence] of (leads ? sentences.slice(0, -1) : sentences).entries())
      this.#add(sentence, { listed: false, ...gluedIn(paragraph, sentences[at - 1], sentence) });
    if (!leads) return;
    this.#begin(last.replace(/[*_]+$/, ''));
    this.#opened = last;
  }

  #endItem(): void {
    const item = this.#item;
    this.#item = undefined;
    if (!item) return;
    const text = item.texts.join(' ');
    const options = { listed: true, ...(item.ticked !== undefined && { ticked: item.ticked }) };
    if (text.length <= LONGEST_ITEM) this.#add(text, options);
    else for (const sentence of sentencesOf(text)) this.#add(sentence, options);
  }

  #add(
    raw: string,
    { listed, ticked, gluedTo }: { listed: boolean; ticked?: boolean; gluedTo?: string },
  ): void {
    const text = plainMarks(raw).replace(SPACES, ' ').trim();
    if (!/[\p{L}\p{N}]{2}|\p{Lo}/u.test(text)) return;
    const lead = listed ? plainMarks(this.#lead) : '';
    this.found.push({
      text,
      listed,
      list: this.#list,
      lead,
      heading: this.#heading,
      items: [text],
      ...(ticked !== undefined && { ticked }),
      ...(gluedTo !== undefined && { gluedTo }),
    });
  }
}

/** Without the marks of emphasis that stand around whole words; words and their order are as written. */
function plainMarks(text: string): string {
  return text.includes('**')
    ? text.replace(/(?<=^|[\s(])\*\*([^*\n]+)\*\*(?=$|\s|[:.;!?)](?:\s|$))/g, '$1')
    : text;
}

function gluedIn(paragraph: string, before: string | undefined, sentence: string): { gluedTo?: string } {
  return before !== undefined && endsWide(before) && paragraph.includes(before + sentence)
    ? { gluedTo: before }
    : {};
}

/** A mark that ends a sentence and brings its own space. */
export function endsWide(text: string): boolean {
  return /[。！？｡][」』”）)]*$/.test(text);
}

/** Two statements on one line; it can be seen where one ends and the other begins. */
export function joined(one: string, other: Pick<Statement, 'text' | 'gluedTo'>): string {
  const { text, gluedTo } = other;
  if (gluedTo !== undefined && one.endsWith(gluedTo)) return one + text;
  return `${one}${/[.!?…。！？:;]$/.test(one) ? ' ' : '; '}${text}`;
}

function pack(statements: readonly Statement[]): Statement[] {
  const packed: Statement[] = [];
  let open: Statement | undefined;
  for (const one of statements) {
    const fits =
      open?.listed &&
      one.listed &&
      open.list === one.list &&
      open.ticked === one.ticked &&
      open.text.length + one.text.length + 2 <= PACKED + one.lead.length;
    if (fits && open) {
      open = { ...open, text: joined(open.text, one), items: [...open.items, one.text] };
      packed[packed.length - 1] = open;
    } else {
      open = one.lead ? { ...one, text: `${one.lead}: ${one.text}` } : one;
      packed.push(open);
    }
  }
  return packed;
}

const END = /[.!?…]+["'”’»)\]*_`]*\s+|[。！？｡]+[」』”）)]*\s*/gu;
/** Ends no sentence though a point stands behind it. */
const SHORT_FORM =
  /(?:^|[\s("'])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|excl|max|min|no|nr|fig|dr|mr|mrs|ms|st|z\.b|d\.h|u\.a|bzw|usw|ca|vgl|ggf|evtl|inkl|p\.ex|ej|p\.ej|sr|sra|art|т\.е|т\.д|[\p{Script=Latin}\p{Script=Cyrillic}]|\d{1,2})\.$/iu;
const MONTH =
  /^(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec|und\b|bis\b|oder\b|quartal|klasse|jahrhundert)/iu;

/** The sentences of one paragraph, as written. Chat begins sentences with small letters, so a point and a space can end one. */
function sentencesOf(paragraph: string): string[] {
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

/** A statement, and the heading it stands under. */
interface Headed extends Statement {
  readonly heading: string;
}

const LABEL = /^[^:：.!?]{2,40}(?=[:：]\s)/;
const LONGEST = 120;

/**
 * "Risk: high" under several headings does not name the risk: a label or a lead that stands under more than one gets its
 * heading in front.
 */
function qualifyLeads(statements: readonly Headed[]): Statement[] {
  const headings = new Map<string, Set<string>>();
  for (const one of statements) {
    const label = labelOf(one);
    if (label && one.heading && label !== one.heading)
      headings.set(label, (headings.get(label) ?? new Set()).add(one.heading));
  }
  return statements.map((one) => {
    const { heading, ...statement } = one;
    const label = labelOf(one);
    if (!label || label === heading || heading.length + label.length > LONGEST) return statement;
    if ((headings.get(label)?.size ?? 0) < 2) return statement;
    return one.listed
      ? { ...statement, lead: `${heading}: ${one.lead}` }
      : { ...statement, text: `${heading}: ${one.text}`, items: [`${heading}: ${one.text}`] };
  });
}

function labelOf({ listed, lead, text }: Headed): string | undefined {
  if (listed) return lead.split(/[:：]/, 1)[0] || undefined;
  return text.includes(':') || text.includes('：') ? LABEL.exec(text)?.[0] : undefined;
}
