import { createHash } from 'node:crypto';
import type { EntryId } from '../src/index.ts';
import type { SaidMessage } from './agent-sessions.ts';

/** A line that a person copies out of a terminal, and the messages that hold it. */
export interface PastedLine {
  readonly line: string;
  readonly holders: ReadonlySet<EntryId>;
}

const SHORTEST = 30;
const LONGEST = 140;
const MOST_HOLDERS = 4;
const MOST_OF_A_SESSION = 8;

/** In turn, so that each kind has its share. */
const KINDS: readonly RegExp[] = [
  /\b(?:error|exception|failed|failure|cannot|could not|fatal|denied|not found|undefined|panic|ENOENT|EACCES)\b/i,
  /[\w./-]+\.[a-z]{1,5}:\d+/,
  /^(?:\$ )?(?:npm|npx|pnpm|bun|node|git|gh|go|cargo|python3?|curl|grep|rg|find|cat|ls|sed|cd|chmod|entire)\s+[-\w./]/,
];

/**
 * Error messages, outputs that name a file and a line, and commands, chosen by rule: by the hash of their letters, so
 * that another reader of the same messages chooses the same.
 */
export function choosePasted(messages: readonly SaidMessage[], count: number): PastedLine[] {
  const spaced = messages.map((message) => ({ ...message, plain: plain(message.text) }));
  const lines = new Map<string, { kind: number; session: string }>();
  for (const { text, session } of messages) {
    for (const raw of text.split('\n')) {
      const line = raw.trim();
      const kind = KINDS.findIndex((pattern) => pattern.test(line));
      if (line.length >= SHORTEST && line.length <= LONGEST && kind >= 0 && !lines.has(line))
        lines.set(line, { kind, session });
    }
  }
  const queues = KINDS.map((_, kind) =>
    [...lines]
      .filter(([, found]) => found.kind === kind)
      .sort(([a], [b]) => (hashOf(a) < hashOf(b) ? -1 : 1)),
  );
  const chosen: PastedLine[] = [];
  const bySession = new Map<string, number>();
  for (let turn = 0; chosen.length < count && queues.some(({ length }) => length > 0); turn++) {
    const queue = queues[turn % queues.length]!;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [line, { session }] = next;
      const taken = bySession.get(session) ?? 0;
      if (taken >= MOST_OF_A_SESSION) continue;
      const holders = spaced.filter(({ plain: text }) => text.includes(plain(line)));
      if (holders.length > MOST_HOLDERS) continue;
      bySession.set(session, taken + 1);
      chosen.push({ line, holders: new Set(holders.map(({ entry }) => entry)) });
      break;
    }
  }
  return chosen;
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
