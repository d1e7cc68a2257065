import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
};
const doors = Object.entries(manifest.exports).filter(([, target]) => typeof target !== 'string');

/** What the front door exports, by topic. */
const PARTS = globSync('src/faces/library/*.ts').sort();

/** `createSession`, `type Session` */
function namesIn(source: string): string[] {
  return [...source.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, types = '', names]) =>
    names!
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => types + name),
  );
}

describe('the published package', () => {
  it.each(doors)('%s resolves to built code and its types', (_, target) => {
    const { types, default: code } = target as { types: string; default: string };
    expect([existsSync(types), existsSync(code)]).toEqual([true, true]);
  });

  it.each(doors.map(([door]) => door))('%s can be imported by its public name', (door) => {
    const name = door.replace(/^\./, 'throughline');
    const script = `console.log(Object.keys(await import('${name}')).length > 0)`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(out.trim()).toBe('true');
  });

  it('loads nothing platform-bound through its front door', () => {
    // Only what is loaded counts: a database driver behind a dynamic import is fine until somebody opens a file.
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ resolve(specifier, context, next) { loaded.push(specifier); return next(specifier, context); } });
      await import('throughline');
      console.log(JSON.stringify(loaded.filter((name) => /sqlite|child_process|^node:net$|^node:http|^ai$|^pg$|^commander$/.test(name))));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(JSON.parse(out)).toEqual([]);
  });

  it('compiles in a project that checks the types of what it installed', { timeout: 120_000 }, () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'throughline-types-'));
    const link = (name: string, target: string) =>
      symlinkSync(path.resolve(target), path.join(folder, 'node_modules', name), 'junction');
    try {
      mkdirSync(path.join(folder, 'node_modules/@types'), { recursive: true });
      link('throughline', '.');
      link('@types/node', 'node_modules/@types/node');
      const imports = doors.map(
        ([door], n) => `export * as n${n} from '${door.replace(/^\./, 'throughline')}';`,
      );
      writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
      writeFileSync(path.join(folder, 'index.ts'), imports.join('\n'));
      const how = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'esnext', '--types', 'node'];
      const tsc = path.resolve('node_modules/typescript/bin/tsc');
      const told = spawnSync(process.execPath, [tsc, ...how, 'index.ts'], { cwd: folder, encoding: 'utf8' });
      expect(told.stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('exports explicit names only', () => {
    for (const file of PARTS) expect(readFileSync(file, 'utf8')).not.toMatch(/export \*/);
    const parts = PARTS.map((file) => `export * from './${path.relative('src', file)}';\n`);
    expect(readFileSync('src/index.ts', 'utf8')).toBe(parts.join(''));
  });

  it('exports the names that programs know, each once', async () => {
    const named = PARTS.flatMap((file) => namesIn(readFileSync(file, 'utf8')));
    const known = readFileSync('test/fixtures/exported-names.txt', 'utf8').trimEnd().split('\n');
    expect(named.toSorted()).toEqual(known.toSorted());
    const values = known.filter((name) => !name.startsWith('type '));
    expect(Object.keys(await import('../src/index.ts')).sort()).toEqual(values.toSorted());
  });

  it('ships a command that exists', () => {
    expect(Object.values(manifest.bin).filter((file) => !existsSync(file))).toEqual([]);
  });
});
