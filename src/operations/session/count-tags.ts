import { z } from 'zod';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { pageOfSessions } from './list-sessions.ts';

const MOST_COUNTED = 2000;

export const countTags = operation({
  name: 'chat/session/tags',
  summary: 'Every tag in use, with how many of the newest sessions have it.',
  params: z.strictObject({ project: ProjectField.optional() }),
  result: z.strictObject({ tags: z.array(z.strictObject({ tag: z.string(), sessions: z.int() })) }),
  faces: { rpc: true },
  async run({ project }, app) {
    const counts = new Map<string, number>();
    let read = 0;
    for (let cursor: string | undefined; read < MOST_COUNTED; ) {
      const query = { limit: 200, place: 'active', ...(project !== undefined && { project }) } as const;
      const page = await pageOfSessions(app, { ...query, ...(cursor !== undefined && { cursor }) });
      for (const { state } of page.sessions)
        for (const tag of state.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
      read += page.sessions.length;
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
    const found = [...counts].map(([tag, sessions]) => ({ tag, sessions }));
    return { tags: found.sort((a, b) => b.sessions - a.sessions || (a.tag < b.tag ? -1 : 1)) };
  },
});
