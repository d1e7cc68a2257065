import {
  type ListResourcesResult,
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { isSessionMissing, isThroughlineError } from '../../errors.ts';
import { createAppOperation, perform, type SessionRecord } from '../../operations/index.ts';
import { listFacts } from '../../operations/memory/index.ts';
import { readEntriesOperation } from '../../operations/recall/index.ts';
import { listSessionsOperation } from '../../operations/session/index.ts';
import { findPlace } from '../../project/index.ts';
import type { SessionId } from '../../record/index.ts';
import { renderOriginals } from '../../search/index.ts';
import type { ToolDesk } from './mcp-tool.ts';
import { describeCheckpoint } from './tools/checkpoint.ts';
import { shortDescription } from './tools/sessions.ts';

const SCHEME = 'throughline://';
/** How many sessions a list of resources names: the newest. The tool "sessions" pages through all. */
const LISTED = 50;
const READ_TOKENS = 8000;
const MESSAGES = 50;

/** Texts that a client can put in front of its model unasked: sessions, their ends and checkpoints, the project's memory. */
export function addResources(server: McpServer, { library, folder }: ToolDesk): void {
  server.registerResource(
    'sessions',
    `${SCHEME}sessions`,
    { title: 'Conversations', description: `The newest ${LISTED}, as a list.`, mimeType: 'application/json' },
    async ({ href }) => {
      const listed = (await newest(library)).map(shortDescription);
      return asText(href, JSON.stringify(listed, null, 2), 'application/json');
    },
  );
  server.registerResource(
    'memory',
    `${SCHEME}memory`,
    {
      title: 'Project memory',
      description: 'What is known about the project of the folder that the server works in.',
      mimeType: 'text/markdown',
    },
    async ({ href }) => {
      const store = await library.store();
      const place = await findPlace(store, { folder });
      await using app = createAppOperation(store, { place });
      const { text } = await perform(listFacts, { project: place.project.id }, app);
      return asText(href, text || 'Nothing is known about this project yet.', 'text/markdown');
    },
  );
  server.registerResource(
    'session',
    new ResourceTemplate(`${SCHEME}sessions/{session}`, {
      list: () => list(({ id }) => ({ name: id, path: pathOf(id) })),
    }),
    {
      title: 'Conversation',
      description: 'The end of a conversation, word for word.',
      mimeType: 'text/plain',
    },
    async ({ href }, { session }) => {
      await using app = await library.app();
      const sessionId = decoded(String(session));
      const asked = { sessionId, around: MESSAGES, maxTokens: READ_TOKENS };
      const originals = await orNotFound(href, perform(readEntriesOperation, asked, app));
      return asText(href, renderOriginals(originals, { own: sessionId }), 'text/plain');
    },
  );
  server.registerResource(
    'checkpoint',
    new ResourceTemplate(`${SCHEME}sessions/{session}/checkpoint`, {
      list: () =>
        list(
          ({ id }) => ({ name: `checkpoint of ${id}`, path: `${pathOf(id)}/checkpoint` }),
          ({ summarised }) => summarised,
        ),
    }),
    {
      title: 'Checkpoint',
      description: 'The state of the work in a conversation.',
      mimeType: 'text/markdown',
    },
    async ({ href }, { session }) => {
      await using app = await library.app();
      const described = describeCheckpoint(app, decoded(String(session)), { maxTokens: READ_TOKENS });
      const { text } = await orNotFound(href, described);
      return asText(href, text, 'text/markdown');
    },
  );

  async function list(
    toResource: (session: SessionRecord) => { name: string; path: string },
    isListed: (session: SessionRecord) => boolean = () => true,
  ): Promise<ListResourcesResult> {
    const listed = (await newest(library)).filter(isListed);
    return {
      resources: listed.map((session) => {
        const { name, path } = toResource(session);
        const { title } = shortDescription(session);
        return { uri: SCHEME + path, name, ...(title !== '' && { title }) };
      }),
    };
  }
}

function pathOf(id: SessionId): string {
  return `sessions/${encodeURIComponent(id)}`;
}

async function newest(library: ToolDesk['library']): Promise<readonly SessionRecord[]> {
  await using app = await library.app();
  return (await perform(listSessionsOperation, { limit: LISTED }, app)).sessions;
}

/** A resource is named by the whole id: nothing is guessed from its start. */
async function orNotFound<T>(href: string, found: Promise<T>): Promise<T> {
  return found.catch((error: unknown) => {
    const isNoId = isThroughlineError(error, 'session-id-invalid') || isThroughlineError(error, 'usage');
    if (isNoId || isSessionMissing(error)) throw new ResourceNotFoundError(href);
    throw error;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function asText(uri: string, text: string, mimeType: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }] };
}
