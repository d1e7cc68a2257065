import path from 'node:path';
import { z } from 'zod';
import { isThroughlineError } from '../../errors.ts';
import { type SessionId, settingEntries } from '../../record/index.ts';
import { findFiles, type ImportReport, importFile, isHomedChat } from '../../transcripts/index.ts';
import type { Desk } from '../desk.ts';
import { putOnBoard } from '../sessions/make-session.ts';
import {
  AGENT_TYPES,
  agentFor,
  placeToJson,
  SESSION_TYPES,
  type SessionPlace,
  type SessionType,
} from '../sessions/session-place.ts';
import { type DamagedFile, filesIn, readJsonFile } from './layout-files.ts';
import { isOurs, takeBack } from './take-back.ts';

/** The feature or task whose folder it is. */
interface Where {
  readonly feature: string;
  readonly task?: string;
  readonly state?: string;
  readonly stateOf?: (session: string) => string | undefined;
  /** Sessions as the feature or task names them, the active one last. */
  readonly order: readonly string[];
}

/** The sessions in a folder, and the older `chat.json` and `session.json` beside them. */
export async function importSessions(
  desk: Desk,
  home: string,
  where: Where,
  damaged: DamagedFile[],
): Promise<ImportReport[]> {
  // The last one on the board is the active one: unnamed chats come before named ones.
  const rank = (file: string) => where.order.indexOf(nameOf(file) ?? '');
  const chats = (await filesIn(path.join(home, 'sessions')))
    .filter((file) => nameOf(file) !== undefined)
    .sort((a, b) => rank(a) - rank(b));
  const old = (await filesIn(home)).filter((file) => /^(?:chat|session)\.json$/.test(path.basename(file)));
  const reports: ImportReport[] = [];
  const homeOfOld = await homeOf(desk, where, chats.map(nameOf));
  for (const file of [...old, ...chats]) {
    const name = nameOf(file);
    if (name !== undefined && (await isOurs(desk, name))) {
      const report = await takeBack(desk, name, file, damaged);
      if (report) reports.push(report);
      continue;
    }
    for await (const one of findFiles([file])) {
      try {
        const place = name === undefined ? homeOfOld : {};
        const outcome = await importFile(desk.store, one, { format: 'dagent', ...place });
        for (const report of outcome.reports) {
          if (report.damage > 0) damaged.push({ file, what: Object.keys(report.damageKinds).join(', ') });
          await settle(desk, report.id, { name, where, home, damaged });
        }
        if (outcome.reports.length === 0)
          damaged.push(await unreadChat(file, 'nothing in it could be read', damaged));
        reports.push(...outcome.reports);
      } catch (error) {
        if (!isThroughlineError(error)) throw error;
        damaged.push(await unreadChat(file, error.message, damaged));
      }
    }
  }
  return reports;
}

/**
 * Older chats have no name, and two features may hold the same one: the place tells them apart. A place whose older chat is in
 * the store without one goes on with that session.
 */
async function homeOf(
  desk: Desk,
  { feature, task }: Where,
  named: readonly unknown[],
): Promise<{ home?: string }> {
  const known = (await desk.board()).features.get(feature);
  const links = (task === undefined ? known : known?.tasks.get(task))?.sessions ?? [];
  const sources = await Promise.all(
    links.map(async ({ session }) => (await desk.store.session(session))?.state.settings.source),
  );
  const isOlder = (key: string) => !named.includes(key) && !isHomedChat(key);
  const older = sources.some((source) => source?.format === 'dagent' && isOlder(source.session));
  return older ? {} : { home: JSON.stringify(task === undefined ? [feature] : [feature, task]) };
}

/** The session whose chat a file is; an older chat has no name. */
function nameOf(file: string): string | undefined {
  return /^chat_(.+)\.json$/.exec(path.basename(file))?.[1];
}

/** Without its chat there is no session to keep the checkpoint in: it is named, so that it is not lost. */
async function unreadChat(file: string, what: string, damaged: DamagedFile[]): Promise<DamagedFile> {
  const name = nameOf(file);
  if (name === undefined) return { file, what };
  const checkpoint = path.join(path.dirname(file), `checkpoint_${name}.json`);
  const whole = (await readJsonFile(checkpoint, Any, damaged)) !== undefined;
  return { file, what, ...(whole && { checkpoint }) };
}

const Context = z.looseObject({ type: z.enum(SESSION_TYPES).optional() });
const Description = z.looseObject({ agentType: z.enum(AGENT_TYPES).optional() });
const Any = z.looseObject({});

/** A session in a folder; an older one has no name. */
interface Found {
  readonly name: string | undefined;
  readonly where: Where;
  readonly home: string;
  readonly damaged: DamagedFile[];
}

/** Says in the session and on the board what it is for. */
async function settle(
  desk: Desk,
  id: SessionId,
  { name, where: { feature, task, state, stateOf }, home, damaged }: Found,
): Promise<void> {
  const beside = (kind: string) => path.join(home, 'sessions', `${kind}_${name}.json`);
  const context = name === undefined ? undefined : await readJsonFile(beside('context'), Context, damaged);
  const told =
    name === undefined ? undefined : await readJsonFile(beside('agent-description'), Description, damaged);
  if (name !== undefined) await readJsonFile(beside('checkpoint'), Any, damaged);
  const type: SessionType = context?.type ?? (task === undefined ? 'pm-feature' : 'dev-task');
  const belongs = (name === undefined ? undefined : stateOf?.(name)) ?? state;
  const place: SessionPlace = {
    board: await desk.boardToWrite(),
    feature,
    ...(task !== undefined && { task, ...(belongs !== undefined && { state: belongs }) }),
    type,
    agent: told?.agentType ?? agentFor(type),
  };
  const info = await desk.store.session(id);
  if (info?.state.settings.work === undefined) {
    const settings = { work: placeToJson(place), project: desk.place.project.id };
    await desk.store.append(id, settingEntries(settings, { by: 'host', at: desk.now() }));
  }
  await putOnBoard(desk, id, place);
}
