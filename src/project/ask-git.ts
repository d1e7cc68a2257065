const PATIENCE_MS = 10_000;
const LARGEST = 64 * 1024 * 1024;

/** What git says of a folder, or `undefined` if it says nothing: no git, no repository, no commit yet. */
export async function askGit(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  // Loaded when it is needed: importing the package starts no process.
  const { execFile } = await import('node:child_process');
  // Variables of a git that runs this (a hook) would point at another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  return new Promise((resolve) => {
    execFile(
      'git',
      ['-C', folder, ...args],
      { env, timeout: PATIENCE_MS, maxBuffer: LARGEST, windowsHide: true },
      (error, stdout) => resolve(error ? undefined : stdout),
    );
  });
}
