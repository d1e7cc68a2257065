import { describe } from 'vitest';
import { itHolds } from './it-holds.ts';
import { startRpc } from './over-rpc.ts';

describe.concurrent('a turn over RPC', () => {
  itHolds(startRpc, { ways: ['continue', 'retry'] });
});
