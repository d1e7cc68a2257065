import { type SessionInfo, titleOf } from '../record/index.ts';

/** Tells the sessions that are called so: every word is part of the title or of a tag, whatever its case and accents. */
export function nameFits(
  words: string,
  { labels = false } = {},
): (info: Pick<SessionInfo, 'state'>) => boolean {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  return ({ state }) => {
    const { project, agent } = state.settings;
    const labelled = labels ? [project, agent].filter((label) => typeof label === 'string') : [];
    const names = [titleOf(state), ...state.tags, ...labelled].map(fold);
    return wanted.every((word) => names.some((name) => name.includes(word)));
  };
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .normalize('NFC');
}
