import type { Statement } from './statements.ts';

/** A statement, and the heading it stands under. */
export interface Headed extends Statement {
  readonly heading: string;
}

const LABEL = /^[^:：.!?]{2,40}(?=[:：]\s)/;
const LONGEST = 120;

/**
 * "Risk: high" under several headings does not name the risk: a label or a lead that stands under more than one gets its
 * heading in front.
 */
export function qualifyLeads(statements: readonly Headed[]): Statement[] {
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
