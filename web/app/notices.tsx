import { useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';

export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly action?: { readonly label: string; run(): void };
}

let notices: readonly Notice[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** Says something in the corner and to screen readers. What needs an answer stays until it has one. */
export function notify(tone: Notice['tone'], text: string, action?: Notice['action']): void {
  const id = ++last;
  change([
    ...notices.filter((other) => other.text !== text).slice(-2),
    { id, tone, text, ...(action && { action }) },
  ]);
  if (tone === 'good') setTimeout(dismiss, action ? 12_000 : 6_000, id);
}

function dismiss(id: number): void {
  change(notices.filter((notice) => notice.id !== id));
}

export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <section className="notices" aria-label="Notices" aria-live="polite">
      {shown.map(({ id, tone, text, action }) => (
        <div key={id} className={`notice notice-${tone}`}>
          <Icon name={tone === 'bad' ? 'warning' : 'check'} />
          <p>{text}</p>
          {action && (
            <button
              type="button"
              className="link-button"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" className="button button-plain button-small" onClick={() => dismiss(id)}>
            <Icon name="close" />
            <span className="out-of-sight">Dismiss</span>
          </button>
        </div>
      ))}
    </section>
  );
}
