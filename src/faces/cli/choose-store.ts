import { homedir } from 'node:os';
import path from 'node:path';
import { settingNamed, standingOf } from '../../operations/config/index.ts';
import { storeExists, storeFile, storeLocation } from '../../store/index.ts';
import { usageError } from './usage-error.ts';

export interface StoreChoice {
  readonly location: string;
  /** Why this one, in words for people. */
  readonly because: string;
  readonly exists: boolean;
}

/** Which store a command works on: the one named, or the one that is meant here when none is. */
export function chooseStore(named: string | undefined): StoreChoice {
  if (named !== undefined) checkName(named);
  const location = named === undefined ? storeLocation() : storeFile(named);
  return { location, because: reason(named, location), exists: storeExists(location) };
}

function checkName(named: string): void {
  if (named === '') throw usageError('The store is the path of a file or a folder, and --store names none.');
  // One letter before the colon is a Windows drive.
  if (/^[a-z][a-z0-9+.-]+:/i.test(named)) {
    throw usageError(
      `The store is the path of a file or a folder, not "${named}". A file of that name is "./${named}".`,
    );
  }
}

function reason(named: string | undefined, location: string): string {
  if (named !== undefined) return 'named by --store';
  if (process.env.THROUGHLINE_STORE) return `named by ${standingOf(settingNamed('store')!).where}`;
  const home = path.join(process.env.HOME || homedir(), '.throughline');
  return path.dirname(location) === home ? 'in your home folder' : "this project's own";
}
