import { cutText } from '../../../context/index.ts';
import { type CheckpointRecord, getCheckpoint } from '../../../operations/checkpoint/index.ts';
import { type App, perform } from '../../../operations/index.ts';
import { getSession } from '../../../session/index.ts';
import { MAX_TOKENS, mcpTool, SESSION_ID, TOKENS, type ToolAnswer } from '../mcp-tool.ts';

/** Of each list. */
const MOST_LINES = 100;

export const checkpoint = mcpTool({
  name: 'checkpoint',
  title: 'State of the work',
  description: `${getCheckpoint.summary} Also the files that were touched, and for each line the entries it came from. It is made of the summaries of a session, so it is empty before the first compaction.`,
  inputSchema: getCheckpoint.params
    .omit({ sessionId: true })
    .extend({ session: SESSION_ID, maxTokens: MAX_TOKENS }),
  async run({ session, version, maxTokens = TOKENS }, { library }) {
    await using app = await library.app();
    const { id } = await getSession(app.store, session);
    return describeCheckpoint(app, id, { maxTokens, version });
  },
});

export async function describeCheckpoint(
  app: App,
  sessionId: string,
  { version: asked, maxTokens }: { version?: number | undefined; maxTokens: number },
): Promise<ToolAnswer> {
  const { checkpoint: state, ...about } = await perform(getCheckpoint, { sessionId, version: asked }, app);
  const { version, versions } = about;
  const { lists, leftOut } = newestLines(state);
  const text = cutText(render(lists), { maxTokens, note: '[… cut here to keep it short …]' }) ?? '';
  return {
    text,
    data: { session: about.sessionId, version, versions, checkpoint: lists, leftOut },
  };
}

const LISTS = ['completed', 'pending', 'decisions', 'blockers', 'facts', 'files'] as const;

/** The newest lines of each list, and how many older ones there are. */
function newestLines(state: CheckpointRecord): { lists: CheckpointRecord; leftOut: number } {
  const lists = Object.fromEntries(
    LISTS.map((name) => [name, state[name].slice(-MOST_LINES)]),
  ) as CheckpointRecord;
  const count = (of: CheckpointRecord) => LISTS.reduce((sum, name) => sum + of[name].length, 0);
  return { lists, leftOut: count(state) - count(lists) };
}

const HEADINGS = [
  ['Pending', 'pending'],
  ['Blockers', 'blockers'],
  ['Decisions', 'decisions'],
  ['Completed', 'completed'],
  ['Facts', 'facts'],
] as const;

function render(state: CheckpointRecord): string {
  const lists = HEADINGS.flatMap(([heading, name]) =>
    state[name].length === 0 ? [] : [`## ${heading}`, ...state[name].map(({ text }) => `- ${text}`)],
  );
  const files = state.files.map(({ path, operations }) => `- ${path} (${operations.join(', ')})`);
  const lines = [...lists, ...(files.length === 0 ? [] : ['## Files', ...files])];
  return lines.length === 0 ? 'Nothing was summarised in this session yet.' : lines.join('\n');
}
