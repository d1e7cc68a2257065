import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createInstructionReader,
  type InstructionFile,
  nestedInstructions,
} from '../../../src/project/index.ts';
import { fitInstructions } from '../../../src/project/instructions/read-instructions.ts';
import { countText } from '../../../src/tokens/index.ts';
import { tempFolder } from '../../flows/child.ts';
import { makeFolder } from '../benches.ts';

const shown = (files: readonly InstructionFile[]) => files.map(({ name, text }) => `${name}: ${text}`);

describe('instruction files', () => {
  it('are those of the folder and of the folders above it, up to the top, the outermost first', async () => {
    using temp = tempFolder();
    const top = makeFolder(temp.path, 'repository', {
      'AGENTS.md': 'outer',
      'CLAUDE.md': 'outer too',
      'packages/AGENTS.md': 'middle',
      'packages/api/CLAUDE.md': 'inner',
      'packages/api/src/AGENTS.md': 'below',
    });
    writeFileSync(path.join(temp.path, 'AGENTS.md'), 'outside of the repository');
    const files = await createInstructionReader().read(path.join(top, 'packages/api'), { top });
    expect(shown(files)).toEqual([
      '../../AGENTS.md: outer',
      '../../CLAUDE.md: outer too',
      '../AGENTS.md: middle',
      'CLAUDE.md: inner',
    ]);
    expect(files[0]).toMatchObject({ path: path.join(top, 'AGENTS.md'), bytes: 5, cut: false });
  });

  it('are read again when they change, and only then', async () => {
    using temp = tempFolder();
    const top = makeFolder(temp.path, 'shop', { 'AGENTS.md': 'one' });
    const file = path.join(top, 'AGENTS.md');
    const reader = createInstructionReader();
    const read = async () => (await reader.read(top, { top }))[0];
    const long = new Date('2025-01-01');
    utimesSync(file, long, long);
    const first = await read();
    expect(await read()).toMatchObject({ text: 'one', hash: first!.hash });
    // Same size, same file, another time.
    writeFileSync(file, 'two');
    const second = await read();
    expect([second?.text, second?.hash === first?.hash]).toEqual(['two', false]);
    // Changed within one tick of the clock: the stamp is the same, and it is young, so it is not trusted.
    const now = new Date();
    utimesSync(file, now, now);
    await read();
    writeFileSync(file, 'six');
    utimesSync(file, now, now);
    expect((await read())?.text).toBe('six');
    rmSync(file);
    expect(await read()).toBeUndefined();
  });

  it('are shown once when one is a link to the other or a copy of it', async () => {
    using temp = tempFolder();
    const top = makeFolder(temp.path, 'shop', { 'AGENTS.md': 'Use tabs.' });
    symlinkSync('AGENTS.md', path.join(top, 'CLAUDE.md'));
    const files = await createInstructionReader().read(top, { top });
    expect(files.map(({ name, sameAs }) => [name, sameAs])).toEqual([
      ['AGENTS.md', undefined],
      ['CLAUDE.md', 'AGENTS.md'],
    ]);
    expect(fitInstructions(files).text.match(/Use tabs\./g)).toHaveLength(1);
  });

  it('that lead out of the project, or are none, are named and not read', async () => {
    using temp = tempFolder();
    writeFileSync(path.join(temp.path, 'secret'), 'hunter2');
    const top = makeFolder(temp.path, 'shop');
    symlinkSync('../secret', path.join(top, 'AGENTS.md'));
    mkdirSync(path.join(top, 'CLAUDE.md'));
    const files = await createInstructionReader().read(top, { top });
    expect(files.map(({ text, problem }) => [text, problem])).toEqual([
      ['', 'outside'],
      ['', 'not-a-file'],
    ]);
    expect(fitInstructions(files)).toMatchObject({
      text: '',
      leftOut: [{ reason: 'outside' }, { reason: 'not-a-file' }],
    });
  });

  it.each([
    { text: 'line one\nline two\nline three\n', bytes: 20, left: 'line one\nline two\n' },
    { text: 'ääääääääää', bytes: 7, left: 'äää' },
    { text: 'x'.repeat(20), bytes: 20, left: 'x'.repeat(20) },
  ])('over their size are read up to a whole line or character', async ({ text, bytes, left }) => {
    using temp = tempFolder();
    const top = makeFolder(temp.path, 'shop', { 'AGENTS.md': text });
    const [file] = await createInstructionReader({ maxBytes: bytes }).read(top, { top });
    expect(file).toMatchObject({ text: left, cut: left !== text, bytes: Buffer.byteLength(text) });
  });

  it('stand in the context word for word, under their names', async () => {
    using temp = tempFolder();
    const odd = '# Rules\r\n\r\n\tTabs, “quotes” and trailing blanks   \n\n\n';
    const top = makeFolder(temp.path, 'shop', { 'AGENTS.md': odd });
    const { text } = fitInstructions(await createInstructionReader().read(top, { top }));
    expect(text).toContain(`## From AGENTS.md\n\n${odd}`);
  });

  it('give way to the nearest when there is not enough room, and are named', async () => {
    using temp = tempFolder();
    const top = makeFolder(temp.path, 'shop', {
      'AGENTS.md': 'outer words '.repeat(200),
      'api/AGENTS.md': 'near words '.repeat(50),
    });
    const files = await createInstructionReader().read(path.join(top, 'api'), { top });
    const { text, leftOut, tokens } = fitInstructions(files, { limit: 200 });
    expect([text.includes('near words'), text.includes('outer words')]).toEqual([true, false]);
    expect(text).toContain('(1 more instruction files are not shown');
    expect(leftOut).toEqual([
      { path: path.join(top, 'AGENTS.md'), tokens: files[0]!.tokens, reason: 'over-budget' },
    ]);
    expect([countText(text), tokens <= 200]).toEqual([tokens, true]);
  });

  it('below the folder are listed, without what others brought along', async () => {
    using temp = tempFolder();
    const top = makeFolder(temp.path, 'shop', {
      'AGENTS.md': '',
      'b/CLAUDE.md': '',
      'a/deep/AGENTS.md': '',
      'node_modules/x/AGENTS.md': '',
      '.hidden/AGENTS.md': '',
    });
    expect(await nestedInstructions(top)).toEqual({
      files: ['a/deep/AGENTS.md', 'b/CLAUDE.md'],
      incomplete: false,
    });
    expect(await nestedInstructions(top, { most: 2 })).toMatchObject({ incomplete: true });
    expect(await nestedInstructions(path.join(top, 'gone'))).toEqual({ files: [], incomplete: false });
  });

  it.each(['node_modules', 'vendor', 'dist', 'build', 'target', 'out', 'coverage', '__pycache__'])(
    'are not looked for in %s, where nothing was written by hand',
    async (built) => {
      using temp = tempFolder();
      const top = makeFolder(temp.path, 'repository', {
        [`${built}/AGENTS.md`]: 'theirs',
        'ours/AGENTS.md': 'ours',
      });
      expect((await nestedInstructions(top)).files).toEqual(['ours/AGENTS.md']);
    },
  );
});
