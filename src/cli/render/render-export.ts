import type { ResultOf } from '../../operations/index.ts';
import type { exportTranscript } from '../../operations/transcript/index.ts';
import { sayCount } from '../../text/index.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { sayBytes } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';

type Exported = ResultOf<typeof exportTranscript>;

export function renderExport({ files }: Pick<Exported, 'files'>): string[] {
  return files.map(({ path, bytes }) => `${cyan(visibleLine(path))}  ${dim(sayBytes(bytes))}`);
}

/** The parts of a chain that are not in the document, for people. */
export function chainNotes({ chain = [], missing }: Pick<Exported, 'chain' | 'missing'>): string[] {
  const later = chain.flatMap(({ id, later: count }) =>
    count === 0 ? [] : [`${sayCount(count, 'message')} of ${id} came later and led elsewhere.`],
  );
  const above = missing === undefined ? [] : [`It began in ${missing}, which is not here any more.`];
  return [...above, ...later];
}
