import { memo } from 'react';
import { sayCount, sayTokens } from '../../src/faces/rpc/client/index.ts';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { sayModel } from '../app/say-model.ts';
import type { ShownCompaction } from './shown.ts';
import { SummaryText } from './summary-text.tsx';
import { useTimelineActions } from './timeline-actions.ts';

/** A compaction in its place: the meaning of the range, and the way to the originals. */
export const SummaryCard = memo(function SummaryCard({
  compaction,
  open,
}: {
  compaction: ShownCompaction;
  open: boolean;
}) {
  const { toggleOriginals, setExpanded } = useTimelineActions();
  const mayWrite = useMayWrite();
  const { status, summary, messages, tokensBefore, tokensAfter, by, retention } = compaction;
  const expanded = status === 'expanded';
  return (
    <section className={expanded ? 'card card-expanded' : 'card'}>
      <header className="card-head">
        <h3>
          <Icon name="compact" />
          {expanded ? 'Summary set aside' : 'Summary'}
        </h3>
        <span className="note">
          {sayCount(messages, 'message')} · {sayTokens(tokensAfter)} instead of {sayTokens(tokensBefore)}{' '}
          tokens
        </span>
      </header>
      {expanded ? (
        <p className="card-overview">
          What it stood for is in the context again, word for word. Collapse it to use the summary instead.
        </p>
      ) : (
        <SummaryText text={summary} />
      )}
      <footer className="card-foot">
        {!expanded && (
          <button
            type="button"
            className="button button-small"
            aria-expanded={open}
            onClick={() => toggleOriginals(compaction)}
          >
            <Icon name="chevron" />
            {open ? 'Hide originals' : `Read the ${originalsOf(compaction)}`}
          </button>
        )}
        {mayWrite && (
          <button
            type="button"
            className="button button-plain button-small"
            onClick={() => setExpanded(compaction, !expanded)}
          >
            {expanded ? 'Collapse' : 'Put back into the context'}
          </button>
        )}
        <span className="note card-by">
          {sayAuthor(by)}
          {by.kind !== 'import' && ` · ${Math.round(retention * 100)} % of names, paths and figures kept`}
        </span>
      </footer>
    </section>
  );
});

function originalsOf({ level, children, messages }: ShownCompaction): string {
  return level > 1
    ? sayCount(children.length, 'older summary', 'older summaries')
    : sayCount(messages, 'message');
}

function sayAuthor({ kind, model }: ShownCompaction['by']): string {
  if (kind === 'model') return `Written by ${model ? sayModel(model) : 'a model'}`;
  if (kind === 'provider') return `Written by the provider of ${model ? sayModel(model) : 'the model'}`;
  if (kind === 'person') return 'Written by a person';
  return kind === 'import' ? 'Imported' : 'Written without a model';
}
