import { z } from 'zod';
import { checkpointAt, checkpointHistory, readCheckpoint } from '../../compaction/index.ts';
import { cutText } from '../../context/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { findSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Checkpoint } from '../../summary/index.ts';
import { MAX_TOKENS, SESSION, sayFound, TOKENS } from '../fields.ts';
import { type Answer, mcpTool } from '../mcp-tool.ts';

/** Of each list. */
const MOST_LINES = 100;

export const checkpoint = mcpTool({
  name: 'checkpoint',
  title: 'State of the work',
  description:
    'Gives the state of the work in a conversation: what is done, open, decided, blocked and known, and the files it touched, each line with the entries it came from. It is made of the summaries of a session, so it is empty before the first compaction.',
  inputSchema: z.strictObject({
    session: SESSION,
    version: z.int().min(1).optional().describe('An older version; the newest unless given.'),
    maxTokens: MAX_TOKENS,
  }),
  async run({ session, version, maxTokens = TOKENS }, { library }) {
    const store = await library.store();
    const info = await findSession(store, session);
    const { text, data } = await describeCheckpoint(store, info, {
      maxTokens,
      ...(version !== undefined && { version }),
    });
    return { text: [...sayFound(session, info), text].join('\n'), data };
  },
});

export async function describeCheckpoint(
  store: Store,
  info: SessionInfo,
  { version, maxTokens }: { version?: number; maxTokens: number },
): Promise<Answer> {
  const state =
    version === undefined ? await readCheckpoint(store, info) : await checkpointAt(store, info, version);
  const versions = (await checkpointHistory(store, info)).length;
  const { lists, leftOut } = newestLines(state);
  const text = cutText(render(lists), { maxTokens, note: '[… cut here to keep it short …]' }) ?? '';
  return {
    text,
    data: { session: info.id, version: version ?? versions, versions, checkpoint: lists, leftOut },
  };
}

/** The newest lines of each list, and how many older ones there are. */
function newestLines(state: Checkpoint): { lists: Checkpoint; leftOut: number } {
  const lists = Object.fromEntries(
    Object.entries(state).map(([name, lines]) => [name, lines.slice(-MOST_LINES)]),
  ) as unknown as Checkpoint;
  const count = (of: Checkpoint) => Object.values(of).reduce((sum, lines) => sum + lines.length, 0);
  return { lists, leftOut: count(state) - count(lists) };
}

const HEADINGS = [
  ['Pending', 'pending'],
  ['Blockers', 'blockers'],
  ['Decisions', 'decisions'],
  ['Completed', 'completed'],
  ['Facts', 'facts'],
] as const;

function render(state: Checkpoint): string {
  const lists = HEADINGS.flatMap(([heading, name]) =>
    state[name].length === 0 ? [] : [`## ${heading}`, ...state[name].map(({ text }) => `- ${text}`)],
  );
  const files = state.files.map(({ path, operations }) => `- ${path} (${operations.join(', ')})`);
  const lines = [...lists, ...(files.length === 0 ? [] : ['## Files', ...files])];
  return lines.length === 0 ? 'Nothing was summarised in this session yet.' : lines.join('\n');
}
