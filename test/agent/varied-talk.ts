const SUBJECTS = [
  'the queue',
  'the worker',
  'the rate limiter',
  'the gateway',
  'the ledger table',
  'our importer',
  'the billing job',
  'the parser',
  'the cache',
  'the search index',
  'the uploader',
  'the migration',
] as const;
const VERBS = ['takes', 'rejects', 'keeps', 'drops', 'retries', 'measures', 'splits', 'validates'] as const;
const OBJECTS = [
  'a lease of # minutes',
  '# rows at a time',
  'every request above # ms',
  'a batch of # items',
  '# retries before it stops',
  'one record per # users',
  'the rows older than # days',
  'the file src/part#/main.ts',
] as const;
const ENDS = [
  'so that nothing is lost',
  'because Marta asked for it',
  'until the next release',
  'although the tests are slow',
  'which the review found',
  'as long as the disk has room',
] as const;
/** What people begin a sentence with that lasts, now and then. */
const CUES = ['We decided: ', 'Never forget: ', 'Open: '] as const;
const CUE_EVERY = 12;

/** Sentences that differ, so that no summary is short because all was said twice. The same for the same number. */
export function variedTalk(seed: number, sentences: number): string {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  const below = (most: number) => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const one = <T>(list: readonly T[]) => list[below(list.length)]!;
  return Array.from({ length: sentences }, () => {
    const object = one(OBJECTS).replace('#', `${2 + below(900)}`);
    const sentence = `${one(SUBJECTS)} ${one(VERBS)} ${object} ${one(ENDS)}.`;
    const cue = below(CUE_EVERY) === 0 ? one(CUES) : '';
    return `${cue}${sentence[0]!.toUpperCase()}${sentence.slice(1)}`;
  }).join(' ');
}
