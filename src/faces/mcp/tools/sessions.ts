import { z } from 'zod';
import {
  describedSession,
  perform,
  type SessionDescriptionRecord,
  type SessionRecord,
} from '../../../operations/index.ts';
import { listSessionsOperation } from '../../../operations/session/index.ts';
import { sayTitle } from '../../../text/index.ts';
import { mcpTool } from '../mcp-tool.ts';

const LIMIT = 20;
/** A title is one line of any length. */
const TITLE_LENGTH = 200;

export const sessions = mcpTool({
  name: 'sessions',
  title: 'List conversations',
  description: `${listSessionsOperation.summary} Each with title, agent, project, tags and size. Their ids are what the other tools take as "session".`,
  inputSchema: listSessionsOperation.params.omit({ parent: true }).extend({
    limit: z.int().min(1).max(100).default(LIMIT).describe('How many.'),
  }),
  async run(input, { library }) {
    await using app = await library.app();
    const page = await perform(listSessionsOperation, input, app);
    const listed = page.sessions.map(shortDescription);
    const more = page.cursor === null ? [] : [`More with "cursor": ${JSON.stringify(page.cursor)}`];
    const text =
      listed.length === 0 ? 'There are no sessions here.' : [...listed.map(lineOf), ...more].join('\n');
    return { text, data: { sessions: listed, ...(page.cursor !== null && { cursor: page.cursor }) } };
  },
});

export function shortDescription(session: SessionRecord): SessionDescriptionRecord {
  const { title, ...described } = describedSession(session);
  return { ...described, title: [...title].slice(0, TITLE_LENGTH).join('') };
}

function lineOf({ id, title, agent, project, messages, tags, updatedAt }: SessionDescriptionRecord): string {
  const facts = [
    `${messages} messages`,
    dayOf(updatedAt),
    ...(agent === null ? [] : [`agent ${agent}`]),
    ...(project === null ? [] : [`project ${project}`]),
    ...(tags.length === 0 ? [] : [`tags ${tags.join(', ')}`]),
  ];
  return `${id}: ${sayTitle(title)} (${facts.join('; ')})`;
}

function dayOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'undated' : date.toISOString().split('T')[0]!;
}
