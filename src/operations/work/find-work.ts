import { projectOfSession } from '../../memory/index.ts';
import type { SessionId } from '../../record/index.ts';
import type { Work } from '../../work/index.ts';
import { findReachable } from '../access.ts';
import type { App } from '../app.ts';
import { refused } from '../refused.ts';

/** Descriptions are made of what cannot be changed; answers are plain JSON. */
export function plain<T>(described: T): Mutable<T> {
  return described as Mutable<T>;
}

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

export async function workOf({ store, access, desks }: App, name: string): Promise<Work> {
  return (await desks()).of(await findReachable(store, access, name));
}

/** The work that a session belongs to; `find` refuses a session out of reach. */
export async function workWith(app: App, reference: string): Promise<{ work: Work; session: SessionId }> {
  const info = await app.find(reference);
  const project = await projectOfSession(app.store, info);
  if (project && info.state.settings.work !== undefined)
    return { work: await (await app.desks()).of(project), session: info.id };
  throw refused('usage', `Session "${info.id}" belongs to no feature.`, { session: info.id });
}

/** The server keeps a lease a moment longer than it needs it, and would be refused by itself. */
export async function workToWrite(app: App, reference: string): Promise<{ work: Work; session: SessionId }> {
  const found = await workWith(app, reference);
  await app.sessions.letGo(found.session);
  return found;
}
