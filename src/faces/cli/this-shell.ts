import { readFileSync } from 'node:fs';

/**
 * Names the shell that a command was typed in, the same for all its commands. Between the two may stand others (npx, timeout,
 * sudo, our own launcher), so the parent process does not tell; the terminal and the session of processes that it leads do, and
 * everything in between keeps them. Without a terminal it is the calling process.
 */
export function thisShell(
  { stat, env }: { stat: string; env: NodeJS.ProcessEnv } = { stat: readStat(), env: process.env },
): string {
  return terminalIn(stat) ?? windowIn(env) ?? (env.THROUGHLINE_SHELL_PID || String(process.ppid));
}

/** Of `/proc/<pid>/stat`: the command stands in brackets and may hold anything, so fields are counted from its end. */
function terminalIn(stat: string): string | undefined {
  const [, , , session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return terminal === undefined || terminal === '0' ? undefined : `${terminal}/${session}`;
}

/** Where there is no such file: what terminals call their windows. */
function windowIn({ TERM_SESSION_ID, WT_SESSION, TMUX_PANE }: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'linux') return undefined;
  const window = TERM_SESSION_ID || WT_SESSION;
  return window && [window, TMUX_PANE].filter(Boolean).join('/');
}

function readStat(): string {
  try {
    return readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return '';
  }
}
