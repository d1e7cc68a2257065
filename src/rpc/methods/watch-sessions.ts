import { z } from 'zod';
import { operation } from '../../operations/index.ts';
import type { Call } from '../call.ts';
import { watchesOf } from '../watches.ts';

export const watchSessions = operation({
  name: 'sessions/watch',
  summary:
    'Sends `sessions/changed` whenever something was written in any session that you may see, from whichever process. It tells of what is written after its answer: watch first, then list; and again after a disconnect.',
  params: z.strictObject({}),
  result: z.strictObject({ watchId: z.string() }),
  faces: { rpc: true },
  run: (_, { access, line }: Call) => watchesOf(line).startList(access),
});
