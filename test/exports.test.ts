import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
};
const doors = Object.entries(manifest.exports).filter(([, target]) => typeof target !== 'string');

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

  it('exports explicit names only', () => {
    expect(readFileSync('src/index.ts', 'utf8')).not.toMatch(/export \*/);
  });

  it('ships a command that exists', () => {
    expect(Object.values(manifest.bin).filter((file) => !existsSync(file))).toEqual([]);
  });
});
