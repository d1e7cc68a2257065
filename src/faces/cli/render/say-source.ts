import type { FactSource } from '../../../record/index.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** Who said it and where it can be read: `anna`, `agent in sally_20251230_112153, entry 0189…`. */
export function saySource({ by, name, session, entries = [] }: FactSource): string {
  const who = {
    person: visibleLine(name ?? 'a person'),
    agent: visibleLine(name ?? 'an agent'),
    summary: 'summary',
  }[by];
  const where = session === undefined ? '' : by === 'summary' ? ` of ${session}` : ` in ${session}`;
  const [first] = entries;
  const entry =
    first === undefined
      ? ''
      : `, entry ${first}${entries.length > 1 ? ` and ${entries.length - 1} more` : ''}`;
  return `${who}${where}${entry}`;
}
