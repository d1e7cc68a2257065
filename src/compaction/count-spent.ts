import type { Usage } from '../record/index.ts';
import type { Session } from '../session/index.ts';

/** Notes of the log that are looked through for what summaries have cost. */
const MOST_COUNTED = 500;

/** Tells what the newest summaries of a session used, and when: the log has it. */
export async function countSpent(session: Session, spend: (usage: Usage, at: number) => void): Promise<void> {
  const notes = { only: 'notes', order: 'newest-first', limit: MOST_COUNTED } as const;
  for (const { at, body } of await session.read(notes)) {
    if (body.kind === 'message') continue;
    const { usage, meta } = body as { usage?: Usage; meta?: { usage?: Usage } };
    const paid = usage ?? meta?.usage;
    if (paid) spend(paid, at);
  }
}
