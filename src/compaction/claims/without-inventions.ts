import { type Entry, mapLines, type Summary, type SummaryLine, summaryIn } from '../../record/index.ts';
import { claimsApproval, claimsRequest, givesOrders } from '../../text/index.ts';
import { readSaid } from './what-was-said.ts';

/**
 * The summary without lines that say of the user what the user did not say: a request needs a message of theirs that asks
 * for it, an approval one that agrees to it. Orders that a tool's output smuggled in end here, in whatever section.
 */
export function withoutInventions(
  summary: Summary,
  { entries, before }: { entries: readonly Entry[]; before?: Summary },
): Summary {
  const earlier = entries.flatMap(({ body }) => summaryIn(body) ?? []);
  const said = readSaid(entries, before ? [before, ...earlier] : earlier);
  const holds = ({ text, from }: SummaryLine) => {
    const approval = claimsApproval(text);
    if (!approval && !claimsRequest(text) && !givesOrders(text)) return true;
    if (said.quotes(text) || said.repeats(text)) return true;
    if (givesOrders(text)) return false;
    return approval ? said.agreesTo(text) : said.asksFor(text, from);
  };
  const clean = (lines: readonly SummaryLine[]) => lines.filter(holds);
  const told = (text: string) => keepSentences(text, (sentence) => holds({ text: sentence, from: [] }));
  return {
    ...mapLines(summary, clean),
    background: told(summary.background),
    overview: told(summary.overview),
  };
}

function keepSentences(text: string, holds: (sentence: string) => boolean): string {
  const sentences = text.split(/(?<=[.!?]["”')]?)(?=\s)|(?<=[。！？])|(?=\n)/u);
  return sentences.every(holds) ? text : sentences.filter(holds).join('').trim();
}
