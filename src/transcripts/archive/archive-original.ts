import { setTimeout as delay } from 'node:timers/promises';
import { ThroughlineError } from '../../errors.ts';
import { createRedactor, redactBytes } from '../../text/secrets/index.ts';
import type { ArchiveBranch, Look } from './archive-branch.ts';
import { type ArchiveRecord, announce, recordPath, sha256, writeRecord } from './archive-record.ts';
import { choosePath, type PathCandidate } from './choose-path.ts';
import { keepInVault } from './vault.ts';

/** Something to be kept whole. */
export interface Original {
  /** The name of the file, or of the session as a file. */
  readonly name: string;
  readonly kind: 'file' | 'session';
  readonly bytes: Uint8Array;
}

export interface ArchiveOptions {
  /** Secrets are taken out unless this is false. */
  readonly redact?: boolean;
  /** Removed text is kept in a file that only its owner may read, so that the original can be made again. */
  readonly vault?: boolean;
  /** Words to lock the vault with. */
  readonly vaultKey?: string | undefined;
  /** Called when each step is done. */
  readonly onStep?: (step: 'redacted' | 'vault' | 'committed') => void;
  readonly now?: () => number;
}

/** What became of an original. */
export interface Archived {
  readonly path: string;
  readonly how: 'new' | 'grown' | 'known';
  /** The commit it is in; none if it was there already. */
  readonly commit?: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly secrets: number;
  /** Whether the original can be had back to the byte. */
  readonly whole: boolean;
}

const TRIES = 20;

/** Puts an original on the branch. When this returns it is there, and archiving it again does nothing. */
export async function archiveOriginal(
  branch: ArchiveBranch,
  original: Original,
  { redact = true, vault = false, vaultKey, onStep, now = Date.now }: ArchiveOptions = {},
): Promise<Archived> {
  const { bytes } = original;
  const { bytes: stored, secrets } = redact ? await redactBytes(bytes) : { bytes, secrets: [] };
  onStep?.('redacted');
  const record: ArchiveRecord = {
    name: redact ? await createRedactor().text(original.name) : original.name,
    kind: original.kind,
    sha256: sha256(bytes),
    bytes: bytes.length,
    lines: countLines(bytes),
    stored: { sha256: sha256(stored), bytes: stored.length },
    secrets: secrets.length,
    archivedAt: new Date(now()).toISOString(),
  };
  // Before the commit: a kill in between leaves an unneeded vault, not an archive that cannot be opened.
  if (vault && secrets.length > 0)
    await keepInVault({ folder: branch.vault, key: vaultKey }, { sha256: record.sha256, secrets });
  onStep?.('vault');
  const vaulted = vault || secrets.length === 0;
  const { path, how, commit } = await put(branch, { record, stored, original: bytes, vaulted });
  onStep?.('committed');
  const facts = { sha256: record.sha256, bytes: record.bytes, secrets: record.secrets };
  const whole = secrets.length === 0 || vault;
  return { path, how, ...(commit !== undefined && { commit }), ...facts, whole };
}

async function put(
  branch: ArchiveBranch,
  candidate: PathCandidate,
): Promise<Pick<Archived, 'path' | 'how' | 'commit'>> {
  const { record } = candidate;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const look = await branch.look();
    const choice = await choosePath(branch, look, candidate);
    if (choice.how === 'known') return choice;
    const made = await branch.commit(look, {
      files: new Map([...firstFiles(look), ...(await filesOf(branch, look, choice.path, candidate))]),
      message: messageOf(record),
    });
    if (made !== 'moved') return { ...choice, commit: made.commit };
    // Two processes that wait for different times do not meet again.
    await delay(Math.random() * 20 * attempt);
  }
  throw new ThroughlineError(
    'archive-busy',
    `Others kept writing to ${branch.name}; ${record.name} is not archived. Try again.`,
    { details: { branch: branch.name } },
  );
}

/** Where they come one after the other, the record is the first: it says what lies there until the file has come, too. */
async function filesOf(
  branch: ArchiveBranch,
  { files }: Look,
  path: string,
  { record, stored }: PathCandidate,
): Promise<[string, Uint8Array][]> {
  if (branch.atomic)
    return [
      [path, stored],
      [recordPath(path), writeRecord(record)],
    ];
  const there = files.get(recordPath(path));
  const [before] = there ? await branch.read([there.id]) : [];
  const announced = announce(record, before, files.get(path)?.bytes ?? 0);
  return [
    [recordPath(path), writeRecord(announced)],
    [path, stored],
  ];
}

function firstFiles({ tip }: Look): [string, Uint8Array][] {
  return tip === undefined ? [['README.md', Buffer.from(README)]] : [];
}

const README = `# Session archives

Whole conversations, as they were before they were shortened. \`archived-sessions/\` holds the files and \`records/\` what is
known about each: the hash of the original, and how many secrets were taken out of it.
`;

function messageOf({ name, sha256: hash, bytes, secrets }: ArchiveRecord): string {
  const redacted = secrets > 0 ? `\nRedacted: ${secrets}` : '';
  return `Archive session: ${name}\n\nOriginal-SHA256: ${hash}\nOriginal-Bytes: ${bytes}${redacted}\n`;
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++;
  return bytes.length > 0 && bytes.at(-1) !== 0x0a ? lines + 1 : lines;
}
