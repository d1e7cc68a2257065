import type { Store } from '../../store/index.ts';
import { dimNote } from './terminal/paint.ts';
import { note } from './terminal/print.ts';
import { visibleText } from './terminal/visible-text.ts';

/** Names the files of a store that other users of the machine can open, if there are any. */
export function warnExposed({ facts }: Store): void {
  if (facts.exposed !== undefined) note(dimNote(visibleText(facts.exposed)));
}
