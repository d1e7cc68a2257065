import type { SessionId } from '../../record/index.ts';
import type { Work } from '../../work/index.ts';
import { findReachable } from '../access.ts';
import type { App } from '../app.ts';

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

/** The work of a session; `find` refuses a session out of reach. */
export async function workWith(app: App, reference: string): Promise<{ work: Work; session: SessionId }> {
  const info = await app.find(reference);
  return { work: await (await app.desks()).with(info), session: info.id };
}

/** The server keeps a lease a moment longer than it needs it, and would refuse itself. */
export async function workToWrite(app: App, reference: string): Promise<{ work: Work; session: SessionId }> {
  const found = await workWith(app, reference);
  await app.sessions.letGo(found.session);
  return found;
}
