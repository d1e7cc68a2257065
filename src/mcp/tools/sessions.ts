import { z } from 'zod';
import { describedSession, perform } from '../../operations/index.ts';
import { listSessions } from '../../operations/session/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { type SessionDescription as Described, describeSession } from '../../session/index.ts';
import { mcpTool } from '../mcp-tool.ts';

const LIMIT = 20;
/** A title is one line, but nobody says how long. */
const TITLE_LENGTH = 200;

export const sessions = mcpTool({
  name: 'sessions',
  title: 'List conversations',
  description: `${listSessions.summary} Each with title, agent, project, tags and size. Their ids are what the other tools take as "session".`,
  inputSchema: listSessions.params.omit({ parent: true }).extend({
    limit: z.int().min(1).max(100).default(LIMIT).describe('How many.'),
  }),
  async run(input, { library }) {
    await using app = await library.app();
    const page = await perform(listSessions, input, app);
    const listed = page.sessions.map((session) => withShortTitle(describedSession(session)));
    const more = page.cursor === null ? [] : [`More with "cursor": ${JSON.stringify(page.cursor)}`];
    const text =
      listed.length === 0 ? 'There are no sessions here.' : [...listed.map(lineOf), ...more].join('\n');
    return { text, data: { sessions: listed, ...(page.cursor !== null && { cursor: page.cursor }) } };
  },
});

export function shortDescription(info: SessionInfo): Described {
  return withShortTitle(describeSession(info));
}

function withShortTitle<T extends Described>(description: T): T {
  return { ...description, title: [...description.title].slice(0, TITLE_LENGTH).join('') };
}

function lineOf({ id, title, agent, project, messages, tags, updatedAt }: Described): string {
  const facts = [
    `${messages} messages`,
    dayOf(updatedAt),
    ...(agent === null ? [] : [`agent ${agent}`]),
    ...(project === null ? [] : [`project ${project}`]),
    ...(tags.length === 0 ? [] : [`tags ${tags.join(', ')}`]),
  ];
  return `${id}: ${title.replaceAll(/\s+/g, ' ') || '(untitled)'} (${facts.join('; ')})`;
}

function dayOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'undated' : date.toISOString().split('T')[0]!;
}
