import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  describedSession,
  SessionDescriptionRecord,
  SessionRecord,
  showSession,
} from '../records/session-record.ts';
import { pageOfSessions } from './list-sessions.ts';

const Counts = z.strictObject({ active: z.int(), archived: z.int(), trashed: z.int() });

export const showOverview = operation({
  name: 'store/overview',
  summary: 'How many sessions a store keeps, and the newest of them.',
  params: z.strictObject({ newest: z.int().min(0).max(200).default(3) }),
  result: z.strictObject({ counts: Counts, newest: z.array(SessionRecord) }),
  faces: {
    help: { overview: 'Say where the sessions are kept and which are newest.' },
    cli: {
      overview: {
        schema: z.strictObject({
          store: z.string().describe('Where it is; the command adds this …'),
          exists: z.boolean().describe('… this …'),
          counts: Counts,
          newest: z.array(SessionDescriptionRecord),
          commands: z.array(z.string()).describe('… and these.'),
        }),
        of: ({ counts, newest }) => ({ counts, newest: newest.map(describedSession) }),
      },
    },
  },
  async run({ newest }, app) {
    const { active, archived, trashed } = await app.store.count();
    const { sessions } = await pageOfSessions(app, { limit: newest });
    return {
      counts: { active, archived, trashed },
      newest: await Promise.all(sessions.map((info) => showSession(app, info))),
    };
  },
});
