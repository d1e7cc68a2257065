import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import { checkStoreModel } from '../store-model.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'throughline-model-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is what a plain list of entries would be, through any appends, forks, marks, tags, purges and reopenings', async () => {
  const open = (run: number) => openSqliteStore(path.join(folder, `${run}.db`), { durability: 'normal' });
  await checkStoreModel({ open, reopenable: true }, { runs: 60 });
});
