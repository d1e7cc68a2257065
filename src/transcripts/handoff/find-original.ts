import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { deriveEntryId, type EntryBody, type SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { standing } from '../export/interleave.ts';
import { outgoing } from '../export/read-family.ts';
import { foreignLineOf } from '../foreign-lines.ts';
import { originOf } from '../import-origin.ts';
import type { HandoffAgent } from './place-for-agent.ts';

interface Original {
  readonly file: string;
  /** What the session is to be called beside it; none if it holds nothing that the original does not. */
  readonly name?: string;
}

/** The agent's own file of a session that came from it, if that lies where the agent looks. */
export async function findOriginal(
  store: Store,
  session: SessionInfo,
  { agent, folder }: { agent: HandoffAgent; folder: string },
): Promise<Original | undefined> {
  const origin = originOf(session, agent);
  const file = origin && (await findNamed(folder, origin.session));
  if (!file) return undefined;
  const own = (await isOwn(store, session, agent))
    ? { name: deriveEntryId('handoff', session.id, String(session.head)) }
    : {};
  return { file, ...own };
}

async function findNamed(folder: string, name: string): Promise<string | undefined> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const found = files.find((file) => {
    const base = path.basename(file, '.jsonl');
    return (
      file.endsWith('.jsonl') && (base === name || base.endsWith(`_${name}`) || base.endsWith(`-${name}`))
    );
  });
  return found && path.join(folder, found);
}

/** Whether it was forked here, or gone on with. */
async function isOwn(store: Store, session: SessionInfo, agent: HandoffAgent): Promise<boolean> {
  const { parent } = session;
  const shared = parent?.relation === 'fork' ? parent.seq : 0;
  let came = false;
  for await (const { body } of standing(outgoing(store, session), shared)) {
    if (cameFrom(agent, body)) came = true;
    else if (body.kind === 'message' || body.kind === 'compaction') return true;
  }
  return !came;
}

function cameFrom(agent: HandoffAgent, body: EntryBody): boolean {
  if (body.kind === 'message' || body.kind === 'compaction') return body.meta?.[agent] !== undefined;
  return foreignLineOf(agent, body) !== undefined;
}
