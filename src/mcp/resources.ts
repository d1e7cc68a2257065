import {
  type ListResourcesResult,
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { isThroughlineError } from '../errors.ts';
import { fitFacts, placeFolder, readMemory, showFacts } from '../memory/index.ts';
import { perform } from '../operations/index.ts';
import { readEntries } from '../operations/recall/index.ts';
import { renderOriginals } from '../recollection/index.ts';
import type { SessionId, SessionInfo } from '../record/index.ts';
import type { SessionDescription } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import type { Desk } from './mcp-tool.ts';
import { describeCheckpoint } from './tools/checkpoint.ts';
import { shortDescription } from './tools/sessions.ts';

const SCHEME = 'throughline://';
/** How many sessions a list of resources names: the newest. The tool "sessions" pages through all. */
const LISTED = 50;
const READ_TOKENS = 8000;
const MESSAGES = 50;

/** What a client can put in front of its model by itself: the sessions, their ends and checkpoints, and the project's memory. */
export function addResources(server: McpServer, { library, folder }: Desk): void {
  server.registerResource(
    'sessions',
    `${SCHEME}sessions`,
    { title: 'Conversations', description: `The newest ${LISTED}, as a list.`, mimeType: 'application/json' },
    async ({ href }) => {
      const listed = (await newest(await library.store())).map(shortDescription);
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
      const { project } = await placeFolder(store, folder);
      const { text } = fitFacts(showFacts(await readMemory(store, project)), {
        ...(project.budget !== undefined && { limit: project.budget }),
      });
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
      const { id: sessionId } = await sessionAt(app.store, href, session);
      const asked = { sessionId, around: MESSAGES, maxTokens: READ_TOKENS };
      const originals = await perform(readEntries, asked, app);
      return asText(href, renderOriginals(originals, { own: sessionId }), 'text/plain');
    },
  );
  server.registerResource(
    'checkpoint',
    new ResourceTemplate(`${SCHEME}sessions/{session}/checkpoint`, {
      list: () =>
        list(({ id }) => ({ name: `checkpoint of ${id}`, path: `${pathOf(id)}/checkpoint` }), isSummarised),
    }),
    {
      title: 'Checkpoint',
      description: 'The state of the work in a conversation.',
      mimeType: 'text/markdown',
    },
    async ({ href }, { session }) => {
      await using app = await library.app();
      const { id } = await sessionAt(app.store, href, session);
      const { text } = await describeCheckpoint(app, id, { maxTokens: READ_TOKENS });
      return asText(href, text, 'text/markdown');
    },
  );

  async function list(
    toResource: (session: SessionDescription) => { name: string; path: string },
    isListed: (info: SessionInfo) => boolean = () => true,
  ): Promise<ListResourcesResult> {
    const listed = (await newest(await library.store())).filter(isListed).map(shortDescription);
    return {
      resources: listed.map((session) => {
        const { name, path } = toResource(session);
        return { uri: SCHEME + path, name, ...(session.title !== '' && { title: session.title }) };
      }),
    };
  }
}

/** Before the first summary there is no state of the work to read. */
function isSummarised({ state }: SessionInfo): boolean {
  return state.roots.length > 0 || state.restoration !== undefined;
}

function pathOf(id: SessionId): string {
  return `sessions/${encodeURIComponent(id)}`;
}

async function newest(store: Store): Promise<readonly SessionInfo[]> {
  return (await store.list({ limit: LISTED, place: 'active' })).sessions;
}

/** A resource is named by the whole id: nothing is guessed from its start. */
async function sessionAt(
  store: Store,
  href: string,
  variable: string | readonly string[] | undefined,
): Promise<SessionInfo> {
  const info = await store.session(decoded(String(variable))).catch((error: unknown) => {
    if (isThroughlineError(error, 'session-id-invalid')) return undefined;
    throw error;
  });
  if (!info) throw new ResourceNotFoundError(href);
  return info;
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
