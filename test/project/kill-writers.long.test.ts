import { it } from 'vitest';
import { killWriters } from './kill-writers.ts';

it('leaves every fact whole, killed forty times', { timeout: 600_000 }, () => killWriters(40));
