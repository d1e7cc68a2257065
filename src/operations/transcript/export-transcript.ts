import { existsSync } from 'node:fs';
import { z } from 'zod';
import { SeqRange, type SessionInfo } from '../../record/index.ts';
import { getSession, mirrorFile } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Redactor } from '../../text/secrets/index.ts';
import type { Chain, ExportOptions, OutgoingEntry, Written } from '../../transcripts/index.ts';
import type { App, Machine } from '../app.ts';
import { SeqField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { WrittenFile, writeFiles } from '../write-files.ts';

/** Formats of which a part is still readable. */
const FOR_PEOPLE = new Set<string>(['markdown', 'html']);

/** Formats that are several files. */
const FOLDERS = new Set<string>(['army', 'dagent']);

const Exported = z.strictObject({
  session: z.string(),
  format: z.string(),
  files: z.array(WrittenFile),
  leftOut: z.record(z.string(), z.int()).describe('Entries that the format has no place for, by kind.'),
  secrets: z.int().optional().describe('How many were taken out, if that was asked for.'),
  chain: z
    .array(
      z.strictObject({
        id: z.string(),
        relation: z.enum(['fork', 'resume']).nullable(),
        from: z.int(),
        to: z.int(),
        queries: z.int(),
        later: z.int().describe('Messages that came after the next session had left this one.'),
      }),
    )
    .optional(),
  missing: z.string().optional().describe('The session that the chain began in, if it is gone.'),
  pieces: z.int().describe('Zero if the format has a place for no entry.'),
});

/** Takes the text of an export that goes to no file. */
export interface TextTaker {
  readonly onText?: (text: string) => Promise<void>;
}

export const exportTranscript = operation({
  name: 'transcript/export',
  summary: 'Write a session as a file: our own, one that another agent opens, or one for people to read.',
  fails: ['usage'],
  params: z.strictObject({
    session: SessionField,
    format: z.string().optional(),
    out: z.string().optional().describe('The file, or a folder to put it in.'),
    force: z.boolean().default(false).describe('Overwrite files that are there.'),
    alone: z.boolean().default(false).describe('Without its forks and the session that it was forked from.'),
    chain: z
      .boolean()
      .default(false)
      .describe('Markdown: with all sessions that led to it, as one document.'),
    tools: z.boolean().default(false).describe('Markdown and html: with tool calls and their results.'),
    range: SeqRange.optional().describe('Markdown and html: only these entries.'),
    redact: z.boolean().default(false).describe('Take secrets out; the session keeps them.'),
  }),
  result: Exported,
  faces: { cli: { export: 'result' } },
  async run(
    { session: id, out, force, ...params },
    { store, onText }: Machine & Pick<App, 'store'> & TextTaker,
  ) {
    const format = await writableFormat(params);
    if (out === undefined && FOLDERS.has(format))
      throw refused('usage', `"${format}" is several files: name the folder that they go to.`, {
        several: format,
      });
    const session = await getSession(store, id);
    const { readChain } = await import('../../transcripts/index.ts');
    const chain = params.chain ? await readChain(store, session) : undefined;
    const redactor = params.redact
      ? (await import('../../text/secrets/index.ts')).createRedactor()
      : undefined;
    const leftOut: Record<string, number> = {};
    const options = {
      tools: params.tools,
      onLeftOut: ({ body }: OutgoingEntry) => {
        leftOut[body.kind] = (leftOut[body.kind] ?? 0) + 1;
      },
    };
    let pieces = 0;
    const written = async function* () {
      const all = chain
        ? writtenChain(store, chain, { ...options, redactor })
        : writtenSession(store, session, { ...options, ...params, format, redactor });
      for await (const piece of all) {
        pieces++;
        yield piece;
      }
    };
    let files: WrittenFile[] = [];
    if (out === undefined) for await (const { text } of written()) await onText?.(text);
    else files = await writeFiles(written(), { out, force, several: FOLDERS.has(format) });
    return {
      session: session.id,
      format,
      files,
      leftOut,
      pieces,
      ...(redactor && { secrets: redactor.count }),
      ...(chain && describeChain(chain)),
    };
  },
});

async function writableFormat({
  format: asked,
  chain,
  range,
}: {
  format?: string | undefined;
  chain: boolean;
  range?: SeqRange | undefined;
}): Promise<ExportOptions['format']> {
  const { WRITABLE } = await import('../../transcripts/index.ts');
  const named = asked ?? (chain ? 'markdown' : 'throughline');
  const formats = [...WRITABLE, 'html' as const];
  const format = formats.find((name) => name === named);
  if (!format) throw refused('usage', `No format "${named}" to write. There are: ${formats.join(', ')}.`);
  if (range && (chain || !FOR_PEOPLE.has(format)))
    throw refused('usage', 'A range is for markdown and html: what another program opens has to be whole.');
  if (chain && format !== 'markdown')
    throw refused('usage', `A chain is for people to read: "${format}" has no form for it, markdown has.`);
  return format;
}

interface WriteOptions extends Pick<ExportOptions, 'tools' | 'onLeftOut'> {
  readonly redactor: Redactor | undefined;
}

async function* writtenSession(
  store: Store,
  session: SessionInfo,
  {
    format,
    alone,
    tools,
    range,
    onLeftOut,
    redactor,
  }: WriteOptions & { format: ExportOptions['format']; alone: boolean; range?: SeqRange | undefined },
): AsyncGenerator<Written> {
  const { exportSession } = await import('../../transcripts/index.ts');
  const previousSession = previousOf(session, store.facts.location);
  yield* exportSession(store, session, {
    format,
    alone,
    ...(tools !== undefined && { tools }),
    ...(onLeftOut && { onLeftOut }),
    ...(range && { range }),
    ...(redactor && { redact: (text: string) => redactor.text(text) }),
    ...(previousSession !== undefined && { previousSession }),
  });
}

async function* writtenChain(
  store: Store,
  chain: Chain,
  { redactor, ...options }: WriteOptions,
): AsyncGenerator<Written> {
  const { writeChain } = await import('../../transcripts/index.ts');
  for await (const piece of writeChain(store, chain, options))
    yield redactor ? { ...piece, text: await redactor.text(piece.text) } : piece;
}

/** The transcript of the session that this one was resumed from, if the chat wrote one. */
function previousOf({ parent }: SessionInfo, location: string): string | undefined {
  if (parent?.relation !== 'resume') return undefined;
  const file = mirrorFile(location, parent.session);
  return existsSync(file) ? file : undefined;
}

/** The sessions of a chain, and which part of each is in the document. */
function describeChain({ links, missing }: Chain) {
  return {
    chain: links.map(({ info, relation, after, upTo, queries, later }) => ({
      id: info.id,
      relation: relation ?? null,
      from: after + 1,
      to: upTo,
      queries: queries.total - queries.before,
      later,
    })),
    ...(missing !== undefined && { missing }),
  };
}

const Mirror = z.strictObject({
  file: z.string(),
  key: z.string(),
  stamp: z.string(),
  headerBytes: z.int(),
  last: z.strictObject({ seq: SeqField, queries: z.int(), offset: z.int() }).optional(),
});

export const mirrorSession = operation({
  name: 'session/mirror',
  summary: 'Writes the markdown transcript of a session beside the store.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    before: Mirror.optional().describe('The result of the last call: what it wrote is not rendered again.'),
  }),
  result: Mirror,
  faces: { chat: ['message', 'compact', 'resume', 'fork', 'retry', 'exit'] },
  async run({ sessionId, before }, { store, find }) {
    const { writeMirror } = await import('../../transcripts/index.ts');
    const { location } = store.facts;
    const { last, ...mirror } = await writeMirror(store, await find(sessionId), {
      location,
      before: before && { ...before, last: before.last },
    });
    return { ...mirror, ...(last && { last }) };
  },
});
