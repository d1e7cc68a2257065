import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { LeaseOwner } from '../store/index.ts';

/** This process, as a lease owner that others can ask about. */
export function thisProcess(name: string): LeaseOwner {
  return { name, host: thisHost(), pid: process.pid, startedAt: statOf(process.pid)?.startedAt ?? '' };
}

/** Whether a lease owner is certainly gone. On another machine that is unknown, so there the lease has to expire. */
export function isDead({ host, pid, startedAt }: LeaseOwner): boolean {
  const [machine, boot, numbers] = host.split('/');
  const [thisMachine, thisBoot, ourNumbers] = thisHost().split('/');
  if (machine !== thisMachine) return false;
  if (boot !== thisBoot) return true;
  if (numbers !== undefined && numbers !== ourNumbers) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
  }
  const stat = statOf(pid);
  return stat !== undefined && (stat.state === 'Z' || stat.startedAt !== startedAt);
}

/**
 * Name and boot: after a restart of the machine no process of before is alive, whatever its pid. And whose process
 * numbers we see: a container has its own, so a number from outside says nothing inside.
 */
function thisHost(): string {
  return [
    hostname(),
    readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    readOr(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')),
  ].join('/');
}

/**
 * When a process started, in the kernel's own ticks, and how it is: `Z` has ended and was not waited for. `undefined` where the
 * system does not tell.
 */
function statOf(pid: number): { state: string; startedAt: string } | undefined {
  const stat = readOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The second field is the command in brackets and may hold anything, so count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.length < 20 ? undefined : { state: fields[0]!, startedAt: fields[19]! };
}

/** Nothing where the system does not tell. */
function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
