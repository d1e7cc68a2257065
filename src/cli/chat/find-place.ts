import { openStore, type Store } from '../../store/index.ts';
import { chooseStore } from '../choose-store.ts';
import { warnExposed } from '../warn-exposed.ts';
import type { ChatPlace } from './chat.ts';

/** Opens the store, making it if need be, and finds the project that the folder belongs to. */
export async function findPlace(named: string | undefined): Promise<ChatPlace & AsyncDisposable> {
  const { location } = chooseStore(named);
  const store: Store = await openStore(location);
  warnExposed(store);
  try {
    const folder = process.cwd();
    const { placeFolder } = await import('../../memory/index.ts');
    const { project } = await placeFolder(store, folder);
    const close = () => store[Symbol.asyncDispose]();
    return { store, location, folder, project, [Symbol.asyncDispose]: close };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}
