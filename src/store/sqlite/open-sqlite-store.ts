import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { ThroughlineError } from '../../errors.ts';
import { retryWhileBusy, toStoreError } from '../driver-error.ts';
import { filesBeside } from '../files-beside.ts';
import { keepPrivate, sayExposed } from '../keep-private.ts';
import { refuseEmptied } from '../refuse-emptied.ts';
import type { Store } from '../store.ts';
import { storeFile } from '../store-location.ts';
import { fileKind, migrate, SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { createSqliteStore } from './sqlite-store.ts';

export interface SqliteStoreOptions {
  /**
   * `full` (the default): an acknowledged append is on the disk and survives a power cut. `normal`: it survives a
   * killed process, but a power cut may take the last moments.
   */
  readonly durability?: 'full' | 'normal';
  /**
   * Lets writes that are asked for in the same turn of the event loop share a commit. On where a commit waits for the disk;
   * worth turning on for a server that many talk to, and costs a lone writer a turn of the loop.
   */
  readonly shareCommits?: boolean;
  readonly readOnly?: boolean;
  /** How long to wait while other processes write, before giving up with `store-busy`. */
  readonly patienceMs?: number;
  readonly now?: () => number;
}

/**
 * Opens a store in one file, creating it (readable by its owner alone) if it is not there; a folder means the
 * `throughline.db` in it. Files of this user that others can open are closed to them.
 */
export async function openSqliteStore(
  file: string,
  {
    durability = 'full',
    shareCommits = durability === 'full',
    readOnly = false,
    patienceMs = 30_000,
    now = Date.now,
  }: SqliteStoreOptions = {},
): Promise<Store> {
  const location = storeFile(file);
  try {
    refuseEmptied(location);
    const reason = readOnly ? 'it was opened read-only.' : prepareFile(location);
    const exposed = existsSync(location) ? findExposed(location, { change: !readOnly }) : undefined;
    const { db, newer } = await openDatabase(location, {
      readOnly: reason !== undefined,
      durability,
      patienceMs,
    });
    const why = newer ?? reason;
    return createSqliteStore(db, {
      facts: {
        backend: 'sqlite',
        location,
        sharedAcrossProcesses: true,
        ...(why !== undefined && { readOnly: why }),
        ...(exposed !== undefined && { exposed }),
      },
      now,
      batch: shareCommits,
      waitsForDisk: durability === 'full',
      patienceMs,
      connectToRead: () => connect(location, true),
    });
  } catch (error) {
    throw toStoreError(error, location);
  }
}

/** Makes the file, owner-only, or says why it can only be read. The log beside it inherits its permissions. */
function prepareFile(location: string): string | undefined {
  const folder = path.dirname(location);
  try {
    if (!existsSync(location)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      closeSync(openSync(location, 'a', 0o600));
    }
  } catch (cause) {
    throw new ThroughlineError(
      'store-unwritable',
      `No store can be made at ${location}: ${(cause as Error).message}. Choose another place.`,
      { cause, details: { location } },
    );
  }
  const writable = (target: string) => {
    try {
      accessSync(target, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  };
  if (!writable(location)) return 'the file may not be written by you. Check its permissions.';
  if (!writable(folder)) return 'its folder may not be written by you. Check its permissions.';
  return undefined;
}

/** SQLite follows links, and has its log beside the file that a link leads to. */
function findExposed(location: string, options: { change: boolean }): string | undefined {
  const file = realpathSync(location);
  return sayExposed(keepPrivate([file, ...filesBeside(file)], options));
}

interface Opening {
  readonly readOnly: boolean;
  readonly durability: 'full' | 'normal';
  readonly patienceMs: number;
}

async function openDatabase(
  location: string,
  opening: Opening,
): Promise<{ db: DatabaseSync; newer: string | undefined }> {
  const attempt = () => {
    const db = connect(location, opening.readOnly);
    try {
      return setUp(db, location, opening);
    } catch (error) {
      db.close();
      throw error;
    }
  };
  return retryWhileBusy(attempt, opening);
}

function setUp(db: DatabaseSync, location: string, opening: Opening) {
  const kind = fileKind(db);
  const version = schemaVersion(db);
  if (kind === 'foreign' || (kind === 'empty' && opening.readOnly)) {
    throw new ThroughlineError(
      'store-foreign',
      `${location} is not a Throughline store. Choose another file; this one was not changed.`,
      {
        details: { location },
      },
    );
  }
  if (version > SCHEMA_VERSION) {
    const newer = `it was written by a newer version of Throughline (store version ${version}, this one writes ${SCHEMA_VERSION}). Upgrade to write to it.`;
    db.exec('pragma query_only = on');
    return { db, newer };
  }
  if (opening.readOnly) return { db, newer: undefined };
  db.exec(`pragma journal_mode = wal; pragma synchronous = ${opening.durability}; pragma secure_delete = on`);
  db.exec('pragma journal_size_limit = 67108864');
  migrate(db);
  return { db, newer: undefined };
}

/** Waiting for a lock happens outside SQLite, where it does not block the event loop; hence the short time-out here. */
function connect(location: string, readOnly: boolean): DatabaseSync {
  if (!readOnly) return new DatabaseSync(location, { timeout: 20 });
  try {
    const db = new DatabaseSync(location, { readOnly: true, timeout: 20 });
    db.prepare('pragma user_version').get();
    return db;
  } catch (error) {
    // A write-ahead log needs a file beside it that a read-only folder refuses; a store without one can do without.
    if (existsSync(`${location}-wal`) && statSync(`${location}-wal`).size > 0) throw error;
    const url = pathToFileURL(location);
    url.search = 'immutable=1';
    return new DatabaseSync(url, { readOnly: true });
  }
}
