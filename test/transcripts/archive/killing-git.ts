import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Runs a child whose git counts its calls, and kills whoever called it before or after the one it is told. */
export function killingGit(root: string, child: string) {
  const calls = path.join(root, 'calls');
  const bin = path.join(root, 'bin');
  mkdirSync(bin);
  const real = execFileSync('which', ['git']).toString().trim();
  const shim = `#!/bin/sh
echo x >> ${calls}
n=$(wc -l < ${calls})
[ "$n" = "$KILL_BEFORE" ] && kill -9 $PPID && exit 1
${real} "$@"
code=$?
[ "$n" = "$KILL_AFTER" ] && kill -9 $PPID
exit $code
`;
  writeFileSync(path.join(bin, 'git'), shim);
  chmodSync(path.join(bin, 'git'), 0o755);
  return {
    /** Whether it came to its end. */
    run(args: readonly string[], env: Record<string, string> = {}): boolean {
      writeFileSync(calls, '');
      try {
        execFileSync(process.execPath, [path.resolve(child), ...args], {
          env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...env },
          stdio: 'pipe',
        });
        return true;
      } catch (error) {
        if ((error as { signal?: string }).signal === 'SIGKILL') return false;
        throw error;
      }
    },
    calls: () => readFileSync(calls, 'utf8').length / 2,
  };
}
