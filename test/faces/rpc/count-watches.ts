import type { Store } from '../../../src/store/index.ts';

/** A store that says how many are listening to it. */
export function countWatches(store: Store): { store: Store; watching(): number } {
  let watching = 0;
  const onChange: Store['onChange'] = (listener) => {
    watching++;
    const stop = store.onChange(listener);
    return () => {
      watching--;
      stop();
    };
  };
  return { store: { ...store, onChange }, watching: () => watching };
}
