import type { Summary } from '../../../record/index.ts';
import type { Store } from '../../../store/index.ts';
import type { Chain, ChainLink } from '../../export/read-chain.ts';
import { outgoing } from '../../export/read-family.ts';
import type { Written } from '../../transcript.ts';
import { NEXT_SESSION } from './escape-lines.ts';
import { MARKDOWN_FORMAT, type MarkdownOptions, markdownPieces } from './write.ts';

/** A whole lineage as one transcript: the sessions one after the other, oldest first, each as it is alone. */
export async function* writeChain(
  store: Store,
  { links }: Chain,
  options: Pick<MarkdownOptions, 'tools' | 'onLeftOut'> = {},
): AsyncGenerator<Written> {
  const file = `${links.at(-1)!.info.id}.chain.md`;
  for (const [index, link] of links.entries()) {
    const { info, after, upTo, queries } = link;
    if (index > 0) yield { file, text: `\n${NEXT_SESSION}\n\n` };
    const stretch = { ...info, head: upTo, totals: { ...info.totals, queries: queries.total } };
    const closing = await carriedOver(store, links[index + 1]);
    const written = markdownPieces(outgoing(store, stretch), {
      ...options,
      from: { after, queries: queries.before },
      ...(after > 0 && { forkedFrom: `${info.parent!.session} (entry ${after})` }),
      ...(closing && { closing }),
    });
    for await (const { text } of written) yield { file, text };
  }
}

/** The summary that the next session started from: one that was never left with a summary got it only then. */
async function carriedOver(store: Store, next: ChainLink | undefined): Promise<Summary | undefined> {
  const seq = next?.relation === 'resume' ? next.info.state.restoration : undefined;
  if (!next || seq === undefined) return undefined;
  const [entry] = await store.read(next.info.id, { after: seq - 1, upTo: seq });
  // A session from a transcript has its summary in the parent's transcript, and here only a word for it.
  if (entry?.body.kind !== 'restoration' || entry.body.meta?.[MARKDOWN_FORMAT] !== undefined)
    return undefined;
  return entry.body.summary;
}
