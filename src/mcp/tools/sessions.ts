import { z } from 'zod';
import { ofProject } from '../../memory/index.ts';
import { PLACES, type SessionInfo } from '../../record/index.ts';
import { describeSession, listFitting, nameFits, type SessionDescription } from '../../session/index.ts';
import { PROJECT } from '../fields.ts';
import { mcpTool } from '../mcp-tool.ts';

const LIMIT = 20;
/** A title is one line, but nobody says how long. */
const TITLE_LENGTH = 200;

export const sessions = mcpTool({
  name: 'sessions',
  title: 'List conversations',
  description:
    'Lists the kept conversations, newest first, with title, agent, project, tags and size. Their ids are what the other tools take as "session".',
  inputSchema: z.strictObject({
    project: PROJECT.optional(),
    find: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Words that are part of the title or of a tag, whatever their case and accents.'),
    agent: z.string().max(200).optional().describe('Only sessions of this agent.'),
    tag: z.string().max(200).optional().describe('Only sessions with this tag.'),
    place: z.enum(PLACES).optional().describe('Where to look; "active" unless given.'),
    limit: z.int().min(1).max(100).optional().describe(`How many; ${LIMIT} unless given.`),
    cursor: z.string().max(500).optional().describe('Where an earlier list ended.'),
  }),
  async run({ limit = LIMIT, place = 'active', project, find, ...filter }, { library }) {
    const store = await library.store();
    const query = { limit, place, ...defined(filter) };
    const isOf = project === undefined ? () => true : await ofProject(store, project);
    const isCalled = find === undefined ? () => true : nameFits(find);
    const page =
      project === undefined && find === undefined
        ? await store.list(query)
        : await listFitting(store, query, (info) => isCalled(info) && isOf(info));
    const listed = page.sessions.map(shortDescription);
    const more = page.cursor === undefined ? [] : [`More with "cursor": ${JSON.stringify(page.cursor)}`];
    const text =
      listed.length === 0 ? 'There are no sessions here.' : [...listed.map(lineOf), ...more].join('\n');
    return { text, data: { sessions: listed, ...(page.cursor !== undefined && { cursor: page.cursor }) } };
  },
});

export function shortDescription(info: SessionInfo): SessionDescription {
  const description = describeSession(info);
  return { ...description, title: [...description.title].slice(0, TITLE_LENGTH).join('') };
}

function lineOf({ id, title, agent, project, messages, tags, updatedAt }: SessionDescription): string {
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

function defined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
