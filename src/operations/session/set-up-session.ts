import { z } from 'zod';
import { settingEntries } from '../../record/index.ts';
import { PolicyField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { AgentField } from './label-fields.ts';

export const setUpSession = operation({
  name: 'session/set-up',
  summary: 'Gives a session the agent module and the compaction policy that a chat in it was started with.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    agent: AgentField.optional(),
    compaction: PolicyField.optional(),
    standing: z
      .boolean()
      .default(false)
      .describe('The policy is that of a file or the environment: for a session that has none of its own.'),
  }),
  result: z.strictObject({ changed: z.array(z.string()).describe('The settings that were others before.') }),
  faces: { chat: ['message'] },
  async run({ sessionId, agent, compaction, standing }, { sessions, find }) {
    const { id } = await find(sessionId);
    return sessions.use(id, async (session) => {
      const { settings } = (await session.refresh()).state;
      const hasOwn = standing && settings.compaction !== undefined;
      const wanted = {
        ...(agent && { agent: agent.name, agentPath: agent.path }),
        ...(compaction !== undefined && !hasOwn && { compaction }),
      };
      const changed = Object.entries(wanted).filter(([name, value]) => settings[name] !== value);
      const entries = settingEntries(Object.fromEntries(changed), { by: 'user' });
      if (entries.length > 0) await session.append(entries);
      return { changed: changed.map(([name]) => name) };
    });
  },
});
