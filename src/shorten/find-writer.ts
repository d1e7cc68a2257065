import { readdir, readFile, readlink, realpath } from 'node:fs/promises';

/** A process that has a file open for writing. */
export interface Writer {
  readonly pid: number;
  readonly name: string;
}

/**
 * A process that has the file open for writing would go on writing into the old one after it is replaced. Found where the
 * system shows it (Linux), among the processes of the same user.
 */
export async function findWriter(file: string): Promise<Writer | undefined> {
  const target = await realpath(file);
  const pids = (await list('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  for (const pid of pids) {
    for (const fd of await list(`/proc/${pid}/fd`)) {
      if ((await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')) !== target) continue;
      const info = await readFile(`/proc/${pid}/fdinfo/${fd}`, 'utf8').catch(() => '');
      const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '0', 8);
      if ((flags & 3) === 0) continue;
      const name = (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
      return { pid: Number(pid), name };
    }
  }
  return undefined;
}

function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
