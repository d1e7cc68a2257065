import { isImportable } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { DamageKind, Found } from '../transcript.ts';
import { findHome, type Home } from './find-home.ts';
import { type ImportReport, withoutNotes } from './report.ts';

export interface ImportFoundOptions {
  readonly format: string;
  readonly file: string;
  /** The time of what says nothing about its own. */
  readonly changedAt?: number;
  /**
   * A session that was purged: `again` (the default) imports it under another id, for a person who asks for this file;
   * `leave-out` takes nothing of it, for files that are met by the way.
   */
  readonly purged?: 'again' | 'leave-out';
  /** The owner of the store vouches for the file: it brings along the addresses of models, and one in our own format every setting and every note of turns. */
  readonly trusted?: boolean;
  /** Called when everything read so far is safe, with the findings so far. */
  readonly onSettled?: (reports: ImportReport[]) => void;
}

/** Writes what a reader finds into a store: each session of the file into its own, stored entries not again. */
export async function importFound(
  store: Store,
  found: AsyncIterable<readonly Found[]>,
  options: ImportFoundOptions,
): Promise<ImportReport[]> {
  const homes = new Map<string, Home>();
  let home: Home | undefined;
  /** Damage before it is known whose file it is. */
  const early: DamageKind[] = [];
  for await (const batch of found) {
    for (const one of batch) {
      switch (one.kind) {
        case 'session':
          await leave(home);
          home = homes.get(one.key) ?? (await findHome(store, one, { ...options, homes }));
          homes.set(one.key, home);
          for (const what of early.splice(0)) home.tally.damage(what);
          break;
        case 'entry':
          if (!home) throw new Error('bug: a reader gave an entry before its session');
          if (!home.copied && one.body.kind === 'setting' && !isImportable(one.body.name))
            throw new Error(`bug: a reader set "${one.body.name}", which is not for transcripts to set`);
          if (!one.again) home.tally.see(one.body);
          if (one.unknown) home.tally.unknown();
          await home.placement.place(
            await home.settings.admit(options.trusted ? one : withoutNotes(one), home.placement.current),
          );
          break;
        case 'place':
          await home?.placement.goTo(one.after);
          break;
        case 'damage':
          if (home) home.tally.damage(one.what);
          else early.push(one.what);
          break;
        case 'quiet':
          await home?.placement.flush();
          options.onSettled?.(reportAll());
      }
    }
  }
  await leave(home);
  return reportAll();

  async function leave(left: Home | undefined): Promise<void> {
    await left?.placement.flush();
    await left?.settings.settle(left.placement.current);
  }

  function reportAll(): ImportReport[] {
    const { format, file } = options;
    return [...homes.values()].map(({ tally, placement, purged }) => ({
      ...tally.report({ id: placement.current, format, file }),
      ...(purged && { purged }),
    }));
  }
}
