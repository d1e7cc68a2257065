import { useEffect, useSyncExternalStore } from 'react';

export const SHORTCUTS = {
  search: { key: '/', says: 'Search everything that was said' },
  new: { key: 'n', says: 'New session' },
  write: { key: 'i', says: 'Write a message' },
  timeline: { key: 't', says: 'To the timeline' },
  compact: { key: 'c', says: 'Compact this session, with a preview' },
  context: { key: '1', says: 'Context meter' },
  checkpoint: { key: '2', says: 'Checkpoint' },
  lineage: { key: '3', says: 'Lineage' },
  help: { key: '?', says: 'These shortcuts' },
} as const;
export type ShortcutName = keyof typeof SHORTCUTS;

const KEY = 'throughline.shortcuts';
const listeners = new Set<() => void>();
const enabled = () => localStorage.getItem(KEY) !== 'off';

/** Users of speech input can switch single keys off, so that a word is not a command. */
export function useShortcutsEnabled(): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, enabled);
  const set = (next: boolean) => {
    localStorage.setItem(KEY, next ? 'on' : 'off');
    for (const listener of listeners) listener();
  };
  return [on, set];
}

/** Single keys, outside of input fields and dialogs. */
export function useShortcuts(actions: Partial<Record<ShortcutName, () => void>>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !enabled()) return;
      const { target } = event;
      if (
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, dialog, [contenteditable]')
      )
        return;
      const found = (Object.keys(SHORTCUTS) as ShortcutName[]).find(
        (name) => SHORTCUTS[name].key === event.key,
      );
      const action = found && actions[found];
      if (!action) return;
      event.preventDefault();
      action();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [actions]);
}
