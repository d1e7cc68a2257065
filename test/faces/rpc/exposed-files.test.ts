import { chmodSync, chownSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addToken, hashToken, newToken } from '../../../src/faces/rpc/index.ts';
import { createMemoryStore, openStore } from '../../../src/store/index.ts';
import { tempFolder } from '../../flows/child.ts';
import { startServe } from './served.ts';
import { openServer } from './transports.ts';

const rightsOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

function tokensIn(file: string): string {
  addToken(file, { name: 'ann', sha256: hashToken(newToken()), projects: null, access: 'read' });
  chmodSync(file, 0o644);
  return file;
}

describe.runIf(process.platform !== 'win32')('a server', () => {
  it('closes its file of tokens to other users', async () => {
    using folder = tempFolder();
    chmodSync(folder.path, 0o755);
    const tokensFile = tokensIn(folder.file('team.json'));
    const notices: string[] = [];
    const onNotice = (line: string) => notices.push(line);
    await using _server = await openServer({ store: createMemoryStore(), tokensFile, onNotice });
    expect([rightsOf(tokensFile), notices]).toEqual(['600', []]);
  });

  it.runIf(process.getuid?.() === 0)('names files of other users that it cannot close', async () => {
    using folder = tempFolder();
    chmodSync(folder.path, 0o755);
    const tokensFile = tokensIn(folder.file('team.json'));
    const store = folder.file('store.db');
    await using _made = await openStore(store);
    chmodSync(store, 0o644);
    for (const file of [tokensFile, store]) chownSync(file, 65534, 65534);
    await using served = await startServe(store, ['--tokens', tokensFile]);
    for (const file of [tokensFile, store]) expect(served.stderr()).toContain(`can open ${file}`);
    expect([rightsOf(tokensFile), rightsOf(store)]).toEqual(['644', '644']);
  });
});
