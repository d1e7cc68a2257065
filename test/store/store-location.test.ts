import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore, storeFile, storeLocation } from '../../src/store/index.ts';
import { tempFolder } from '../flows/child.ts';

describe('the name of a store', () => {
  it.each([
    { named: 'notes.db', there: [], file: 'notes.db', why: 'a name of nothing is a file' },
    { named: 'made', there: ['made/'], file: 'made/throughline.db', why: 'a folder holds it' },
    { named: 'made/', there: ['made/'], file: 'made/throughline.db', why: 'a folder holds it' },
    {
      named: '.throughline',
      there: [],
      file: '.throughline/throughline.db',
      why: "it is the name of a project's folder",
    },
    { named: 'later/', there: [], file: 'later/throughline.db', why: 'it ends like a folder' },
    {
      named: 'shop',
      there: ['shop/.throughline/throughline.db'],
      file: 'shop/.throughline/throughline.db',
      why: "the folder is a project's, with a store of its own",
    },
    {
      named: 'shop',
      there: ['shop/.throughline/throughline.db', 'shop/throughline.db'],
      file: 'shop/throughline.db',
      why: 'the store right in the folder comes first',
    },
  ])('$named is $file, because $why', async ({ named, there, file }) => {
    using folder = tempFolder();
    for (const name of there) {
      mkdirSync(folder.file(path.dirname(`${name}x`)), { recursive: true });
      if (!name.endsWith('/')) writeFileSync(folder.file(name), '');
    }
    expect(storeFile(named, folder.path)).toBe(folder.file(file));
    expect(storeLocation({ folder: folder.path, env: { THROUGHLINE_STORE: named } })).toBe(folder.file(file));
    await using store = await openStore(`${folder.path}/${named}`);
    expect(store.facts.location).toBe(folder.file(file));
  });
});
