import { describe } from 'vitest';
import { HAS_TERMINAL } from '../flows/chat-terminal.ts';
import { itHolds } from './it-holds.ts';
import { needsTerminal, startTerminal } from './over-terminal.ts';
import { ROWS } from './table.ts';

const rows = ROWS.filter((row) => HAS_TERMINAL || !needsTerminal(row));

describe('a turn in the chat, in every cell of the table', () => {
  itHolds(startTerminal, { ways: ['retry'], rows, isServer: false });
});
