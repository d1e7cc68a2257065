import type { Entry, ReadRange, SessionInfo, Store } from '../src/index.ts';
import { wordyMessageAt } from './recall-messages.ts';

const IN_A_SESSION = 500;
const START = Date.UTC(2025, 0, 1);

/** The reading half of a store, whose messages are made up whenever they are read: what is measured is the index. */
export function syntheticStore(messages: number): Store {
  const sessions = Array.from({ length: Math.ceil(messages / IN_A_SESSION) }, (_, index) =>
    infoOf(index, messages),
  );
  const byId = new Map(sessions.map((info, index) => [info.id, { info, index }]));
  const entryAt = (index: number, seq: number): Entry => ({
    id: idOf(seq),
    seq,
    at: START + (index * IN_A_SESSION + seq) * 1000,
    tokens: 0,
    body: wordyMessageAt(index * IN_A_SESSION + seq, 0.5),
  });
  const reading = {
    facts: { backend: 'synthetic', location: 'nowhere', sharedAcrossProcesses: false },
    session: async (id: string) => byId.get(id)?.info,
    list: async ({
      place = 'active',
      cursor = '0',
      limit,
    }: {
      place?: string;
      cursor?: string;
      limit: number;
    }) => {
      const next = Number(cursor) + limit;
      const page = place === 'active' ? sessions.slice(Number(cursor), next) : [];
      return {
        sessions: page,
        ...(place === 'active' && next < sessions.length && { cursor: String(next) }),
      };
    },
    async read(id: string, { after = 0, upTo = IN_A_SESSION, limit = IN_A_SESSION }: ReadRange) {
      const { index, info } = byId.get(id)!;
      const last = Math.min(upTo, info.head, after + limit);
      return Array.from({ length: Math.max(0, last - after) }, (_, n) => entryAt(index, after + n + 1));
    },
    async entry(id: string, wanted: string) {
      const { index } = byId.get(id)!;
      return entryAt(index, Number.parseInt(wanted.slice(-12), 16));
    },
  };
  return reading as unknown as Store;
}

function infoOf(index: number, messages: number): SessionInfo {
  const head = Math.min(IN_A_SESSION, messages - index * IN_A_SESSION);
  return {
    id: `session-${index}`,
    createdAt: START + index,
    updatedAt: START + index,
    head,
    totals: { messages: head, queries: 0, tokens: 0 },
    usage: { input: 0, output: 0 },
    state: { settings: {}, tags: [] },
  } as unknown as SessionInfo;
}

/** An id that says which entry it is, so that none has to be looked for. */
function idOf(seq: number): string {
  return `00000000-0000-7000-8000-${seq.toString(16).padStart(12, '0')}`;
}
