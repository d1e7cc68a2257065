import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { storeContract } from '../../../src/testing/index.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'throughline-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['full', 'normal'] as const)('sqlite store, durability %s', (durability) => {
  const open = ({ now }: { now: () => number }) =>
    openSqliteStore(path.join(folder, `${randomUUID()}.db`), { durability, now });
  for (const { group, name, run } of storeContract(open)) it(`${group}: ${name}`, run);
});
