import type { KeyboardEvent, ReactNode } from 'react';
import { Icon } from './icon.tsx';

export const PANELS = { context: 'Context', checkpoint: 'Checkpoint', lineage: 'Lineage' } as const;
export type Panel = keyof typeof PANELS;
const NAMES = Object.keys(PANELS) as Panel[];

/** The column at the right: one of three looks at the session. */
export function Inspector({
  panel,
  onChoose,
  onClose,
  children,
}: {
  panel: Panel;
  onChoose(panel: Panel): void;
  onClose(): void;
  children: ReactNode;
}) {
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = NAMES[(NAMES.indexOf(panel) + step + NAMES.length) % NAMES.length]!;
    onChoose(next);
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  }
  return (
    <aside className="inspector" aria-label="About this session">
      <div className="tabs">
        <div role="tablist" aria-label="About this session" onKeyDown={onKeyDown}>
          {NAMES.map((name) => (
            <button
              key={name}
              id={`tab-${name}`}
              type="button"
              role="tab"
              aria-selected={name === panel}
              aria-controls="panel"
              tabIndex={name === panel ? 0 : -1}
              onClick={() => onChoose(name)}
            >
              {PANELS[name]}
            </button>
          ))}
        </div>
        <button type="button" className="button button-plain button-icon" onClick={onClose}>
          <Icon name="close" />
          <span className="out-of-sight">Close this column</span>
        </button>
      </div>
      <div id="panel" className="panel scroller" role="tabpanel" aria-labelledby={`tab-${panel}`}>
        {children}
      </div>
    </aside>
  );
}
