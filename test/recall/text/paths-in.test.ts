import { expect, it } from 'vitest';
import { pathsIn, plainPath } from '../../../src/recall/text/paths-in.ts';

it.each([
  { text: 'src/store/log.ts', paths: ['src/store/log.ts'], why: 'a path alone' },
  { text: './src/log.ts', paths: ['src/log.ts'], why: 'one spelling' },
  { text: 'C:\\work\\notes.txt', paths: ['C:/work/notes.txt'], why: 'one sort of slash' },
  { text: 'cat README.md | head', paths: ['README.md'], why: 'a shell command' },
  { text: 'rm -rf ./dist/assets/', paths: ['dist/assets'], why: 'a folder' },
  { text: 'curl https://example.com/a/b.html', paths: [], why: 'an address is not a file' },
  { text: 'it took 3.5 s and a/b', paths: [], why: 'numbers and alternatives are not' },
  { text: '/etc/hosts', paths: ['/etc/hosts'], why: 'a rooted path without an ending' },
  {
    text: `*** Begin Patch\n*** Update File: src/a.ts\n${'import { x } from "./other.ts";\n'.repeat(60)}`,
    paths: ['src/a.ts'],
    why: 'a long patch names its files at the head, not in its lines',
  },
])('finds $paths: $why', ({ text, paths }) => {
  expect(pathsIn([text]).map(plainPath)).toEqual(paths);
});
