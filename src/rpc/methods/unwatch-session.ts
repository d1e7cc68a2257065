import { z } from 'zod';
import { operation } from '../../operations/index.ts';
import type { Call } from '../call.ts';

export const unwatchSession = operation({
  name: 'session/unwatch',
  summary: 'Ends a watch, of either kind.',
  params: z.strictObject({ watchId: z.string().min(1).max(100) }),
  result: z.strictObject({ ended: z.boolean() }),
  faces: { rpc: true },
  run: ({ watchId }, { line }: Call) => ({ ended: line?.watches.end(watchId) ?? false }),
});
