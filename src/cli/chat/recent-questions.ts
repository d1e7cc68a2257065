import type { ChatPlace } from './chat.ts';

const SESSIONS = 3;
const MOST = 200;

/** Questions of the newest sessions of the project, newest first: the history of the line editor is the log. */
export async function recentQuestions({ store, project }: ChatPlace): Promise<string[]> {
  const { sessions } = await store.list({ project: project.id, limit: SESSIONS });
  const questions: string[] = [];
  for (const { id, head } of sessions) {
    const entries = await store.read(id, { only: 'messages', after: Math.max(0, head - MOST * 4) });
    for (const { body } of entries.toReversed()) {
      if (body.kind !== 'message' || body.role !== 'user') continue;
      const [part] = body.parts;
      if (typeof part?.text === 'string' && !questions.includes(part.text)) questions.push(part.text);
    }
  }
  return questions.slice(0, MOST);
}
