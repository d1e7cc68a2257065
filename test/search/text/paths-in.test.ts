import { expect, it } from 'vitest';
import { pathsIn, plainPath } from '../../../src/search/text/paths-in.ts';

it.each([
  { text: 'src/store/log.ts', paths: ['src/store/log.ts'], why: 'a path alone' },
  { text: './src/log.ts', paths: ['src/log.ts'], why: 'one spelling' },
  { text: 'C:\\work\\notes.txt', paths: ['C:/work/notes.txt'], why: 'one sort of slash' },
  { text: 'cat README.md | head', paths: ['README.md'], why: 'a shell command' },
  { text: 'rm -rf ./dist/assets/', paths: ['dist/assets'], why: 'a folder' },
  { text: 'curl https://example.com/a/b.html', paths: [], why: 'an address is not a file' },
  { text: 'it took 3.5 s and a/b', paths: [], why: 'numbers and alternatives are not' },
  { text: '/etc/hosts', paths: ['/etc/hosts'], why: 'a rooted path without an ending' },
  { text: 'vim docs/über.ts', paths: ['docs/über.ts'], why: 'letters of any script' },
  { text: '看看src/a.ts文件', paths: ['src/a.ts', '看看src/a.ts'], why: 'which may stand around a path' },
  { text: 'tar x.7z 3.5', paths: ['x.7z'], why: 'an ending with a digit' },
  { text: 'open file:///w/h.ts', paths: ['/w/h.ts'], why: 'the address of a file is its path' },
  { text: 'git add "src/[id]/page.tsx"', paths: ['/page.tsx', 'src/[id]/page.tsx'], why: 'quotes' },
  {
    text: `*** Begin Patch\n*** Update File: src/a.ts\n${'import { x } from "./other.ts";\n'.repeat(60)}`,
    paths: ['src/a.ts'],
    why: 'a long patch names its files at the head, not in its lines',
  },
])('finds $paths: $why', ({ text, paths }) => {
  expect(pathsIn(text).map(plainPath)).toEqual(paths);
});

it.each([
  ['my\\ notes.txt', 'my notes.txt'],
  ['file:///w/my%20notes.txt', '/w/my notes.txt'],
  ['file:///C:/work/a.ts', 'C:/work/a.ts'],
  ['file:///w/100%', '/w/100%'],
  ['u\u0308ber.ts', '\u00fcber.ts'],
])('spells %s as %s', (path, plain) => {
  expect(plainPath(path)).toBe(plain);
});
