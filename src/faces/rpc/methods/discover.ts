import { z } from 'zod';
import { operation } from '../../../operations/index.ts';
import type { RpcCall } from '../call.ts';

export const discover = operation({
  name: 'rpc.discover',
  summary: 'This interface as an OpenRPC document.',
  params: z.strictObject({}),
  result: z.looseObject({ openrpc: z.string() }),
  faces: { rpc: true },
  run: (_, { describe }: RpcCall) => describe(),
});
