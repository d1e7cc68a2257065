import { z } from 'zod';
import { ThroughlineError } from '../../../errors.ts';
import { createAppOperation, type OperationResult, perform } from '../../../operations/index.ts';
import { addProjectFact } from '../../../operations/memory/index.ts';
import { findPlace, lookUpFact } from '../../../project/index.ts';
import { type EntryId, LONGEST_FACT, shortId } from '../../../record/index.ts';
import { parseEntry, readOriginals } from '../../../search/index.ts';
import { getSession } from '../../../session/index.ts';
import type { Store } from '../../../store/index.ts';
import { mcpTool, SESSION_ID } from '../mcp-tool.ts';

export const rememberTool = mcpTool({
  name: 'remember',
  title: 'Remember a fact',
  description: `${addProjectFact.summary} Something that stays true and that the next conversation should know. One line, in words that stand alone. If it takes the place of older facts, name them in "supersedes". People can see it, edit it and take it back.`,
  inputSchema: z.strictObject({
    fact: z.string().min(1).max(LONGEST_FACT).describe('One line that can be understood by itself.'),
    decision: z.boolean().optional().describe('It is a decision, not an observation.'),
    supersedes: z
      .array(z.string().min(8).max(60))
      .max(20)
      .optional()
      .describe(
        'Ids of older facts that it takes the place of, or their last eight characters, which is how facts are shown.',
      ),
    project: z
      .string()
      .max(1000)
      .optional()
      .describe('Another project than the one of the folder you work in.'),
    session: SESSION_ID.optional().describe(
      'Where it was said: the whole id of the session, as "sessions" and hits show it …',
    ),
    entry: z
      .union([z.int().min(1), z.string().max(60)])
      .optional()
      .describe('… and the number or id of the entry.'),
  }),
  writes: true,
  async run({ fact, decision, supersedes = [], project: named, session, entry }, desk) {
    const store = await desk.library.writable();
    if (!store) throw readOnly();
    const place = await findPlace(store, { project: named, folder: desk.folder, write: true });
    const { project } = place;
    const client = desk.client()?.slice(0, 200);
    await using app = createAppOperation(store, {
      place,
      speaker: { by: 'agent', ...(client !== undefined && { name: client }) },
    });
    const written = await perform(
      addProjectFact,
      {
        project: project.id,
        text: fact,
        list: decision ? 'decisions' : 'facts',
        supersedes: await Promise.all(
          supersedes.map(async (reference) => (await lookUpFact(store, project, reference)).id),
        ),
        sessionId: session,
        ...(session !== undefined &&
          entry !== undefined && { entries: await entriesAt(store, session, entry) }),
      },
      app,
    );
    return { text: say(written), data: describe(written) };
  },
});

async function entriesAt(store: Store, session: string, entry: number | string): Promise<EntryId[]> {
  const info = await getSession(store, session);
  const { entries } = await readOriginals(store, info, { entry: parseEntry(entry), maxTokens: 100 });
  return entries.map((one) => one.entry);
}

type Written = OperationResult<typeof addProjectFact>;

function say({ fact, repeated, contradicts, budget, project }: Written): string {
  const first = repeated
    ? `That is known already, as ${shortId(fact.id)}; nothing was written.`
    : `Remembered for ${project.name} as ${shortId(fact.id)}.`;
  const doubts = contradicts.map(
    ({ id, text }) =>
      `It may contradict ${shortId(id)}: ${text.replace(/[.!]$/, '')}. If it takes that one's place, say it again with "supersedes".`,
  );
  const { stored, left, limit } = budget;
  const room = `The project knows ${stored} ${stored === 1 ? 'fact' : 'facts'}; ${left} of ${limit} tokens are left for more.`;
  const full =
    left === 0
      ? ['The oldest are no longer shown to models. Supersede or retract what is no longer so.']
      : [];
  return [first, ...doubts, room, ...full].join('\n');
}

function describe({ fact, repeated, contradicts, budget, project }: Written): Record<string, unknown> {
  const { id, text, list, status, supersedes } = fact;
  return {
    fact: { id, text, list, status, supersedes },
    repeated,
    contradicts: contradicts.map(({ id: other, text: words, kind }) => ({ id: other, text: words, kind })),
    budget,
    project: { id: project.id, name: project.name },
  };
}

function readOnly(): ThroughlineError {
  return new ThroughlineError(
    'store-read-only',
    'Nothing was remembered: this server was started to read only. Start it without --read-only.',
  );
}
