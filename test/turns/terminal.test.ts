import { describe } from 'vitest';
import { HAS_TERMINAL } from '../flows/chat-terminal.ts';
import { itHolds } from './it-holds.ts';
import { needsTerminal, startTerminal } from './over-terminal.ts';
import { type Cause, type Place, ROWS } from './table.ts';

/** Every chat is two processes, so these are the cells that differ in a chat; all of them in terminal.long.test.ts. */
const CELLS: Record<Cause, readonly Place[]> = {
  kill: ['before', 'middle', 'look', 'paint', 'waiting'],
  SIGTERM: ['before', 'middle', 'look', 'paint', 'waiting'],
  SIGINT: ['middle', 'waiting'],
  cut: ['middle'],
  'status-401': ['before', 'paint', 'waiting'],
  'status-429': ['before'],
  'status-500': ['middle'],
  overflow: ['before'],
  cancel: ['before', 'middle', 'paint', 'waiting'],
  disk: ['before', 'middle', 'paint', 'waiting'],
};

const rows = ROWS.filter(
  (row) => CELLS[row.cause].includes(row.place) && (HAS_TERMINAL || !needsTerminal(row)),
);

describe.concurrent('a turn in the chat', () => {
  itHolds(startTerminal, { ways: ['retry'], rows, isServer: false });
});
