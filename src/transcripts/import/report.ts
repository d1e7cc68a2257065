import {
  type EntryBody,
  type Message,
  REQUEST_NOTES,
  type SessionId,
  TURN_NOTES,
} from '../../record/index.ts';
import { readPart } from '../../text/index.ts';
import { fieldsOf, isFields } from '../source/fields.ts';
import type { DamageKind, FoundBody } from '../transcript.ts';

/** Counts of one session of an imported file, new or not. */
export interface ImportReport {
  /** The session that holds the end of the file: the one to go on with. */
  readonly id: SessionId;
  readonly format: string;
  readonly file: string;
  readonly messages: number;
  /** Tool calls that have their result. */
  readonly toolPairs: number;
  readonly compactions: number;
  /** Forks that were made for what the file holds besides one line of conversation. */
  readonly branches: number;
  /** Lines of a type that the reader does not know; they are kept as they are. */
  readonly unknownKept: number;
  /** Places where the file is broken. What could be read around them was. */
  readonly damage: number;
  readonly damageKinds: Readonly<Partial<Record<DamageKind, number>>>;
  /** Entries that were not in the store before. */
  readonly added: number;
  /**
   * Settings that act on this machine and were left out, by name: the owner of the file did not vouch for it, or a project
   * here has the folder. Absent if there are none.
   */
  readonly settingsLeftOut?: Readonly<Record<string, number>>;
  /** The session was purged, so nothing of it was taken. */
  readonly purged?: true;
}

export interface ImportTally {
  see(body: FoundBody): void;
  damage(what: DamageKind): void;
  unknown(): void;
  leaveOut(setting: string): void;
  branches: number;
  added: number;
  report(about: Pick<ImportReport, 'id' | 'format' | 'file'>): ImportReport;
}

export function createTally(): ImportTally {
  const damageKinds: Partial<Record<DamageKind, number>> = {};
  const settingsLeftOut: Record<string, number> = {};
  const open = new Set<unknown>();
  let messages = 0;
  let toolPairs = 0;
  let compactions = 0;
  let unknownKept = 0;
  let damage = 0;

  function seeParts({ parts }: Extract<EntryBody, { kind: 'message' }>): void {
    for (const piece of parts.map(readPart)) {
      if (piece.kind === 'call') open.add(piece.id);
      else if (piece.kind === 'result' && open.delete(piece.id)) toolPairs++;
    }
  }

  const tally: ImportTally = {
    branches: 0,
    added: 0,
    see(body) {
      if (body.kind === 'message') {
        messages++;
        seeParts(body);
      } else if (body.kind === 'compaction' || body.kind === 'found-compaction') compactions++;
    },
    damage(what) {
      damage++;
      damageKinds[what] = (damageKinds[what] ?? 0) + 1;
    },
    unknown: () => void unknownKept++,
    leaveOut(setting) {
      settingsLeftOut[setting] = (settingsLeftOut[setting] ?? 0) + 1;
    },
    report: (about) => ({
      ...about,
      messages,
      toolPairs,
      compactions,
      branches: tally.branches,
      unknownKept,
      damage,
      damageKinds: { ...damageKinds },
      added: tally.added,
      ...(Object.keys(settingsLeftOut).length > 0 && { settingsLeftOut: { ...settingsLeftOut } }),
    }),
  };
  return tally;
}

// What turns note about their requests is believed: what a model was sent, how it counts tokens. A file may come from
// anywhere, so such notes are taken only from one that its owner vouches for; those of others are kept where nothing reads them.

const LEFT_OUT = 'notes-left-out';

/** The entry as a file that its owner does not vouch for may bring it along. */
export function withoutNotes<One extends { readonly body: FoundBody }>(entry: One): One {
  const { body } = entry;
  return body.kind === 'message' ? { ...entry, body: withoutRequest(body) } : entry;
}

/** What an answer says about its request, out of the way. How its turn went is the conversation's, and stays. */
function withoutRequest(body: Message): Message {
  const { meta } = body;
  if (!meta || !TURN_NOTES.some((name) => Object.hasOwn(meta, name))) return body;
  const { run, request, recalled, ...rest } = meta;
  const told = Object.entries(fieldsOf(run));
  const isOfRequest = ([name]: [string, unknown]) => REQUEST_NOTES.some((note) => note === name);
  const left = {
    ...Object.fromEntries(told.filter(isOfRequest)),
    ...(request !== undefined && { request }),
    ...(recalled !== undefined && { recalled }),
  };
  if (Object.keys(left).length === 0) return body;
  const ofTurn = isFields(run) ? Object.fromEntries(told.filter((one) => !isOfRequest(one))) : run;
  return { ...body, meta: { ...rest, ...(run !== undefined && { run: ofTurn }), [LEFT_OUT]: left } };
}
