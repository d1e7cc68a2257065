import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { Summary } from '../../record/index.ts';
import { mirrorFile } from '../../session/index.ts';
import { SUMMARY_END, SUMMARY_START } from '../../summary/index.ts';
import { operation } from '../operation.ts';

export const identifyFile = operation({
  name: 'transcript/identify',
  summary:
    'Whether a file is the transcript of a session in the store, and if not, the agent module and the summary that it names. Nothing is imported.',
  params: z.strictObject({ file: z.string().describe('Absolute.') }),
  result: z.strictObject({
    exists: z.boolean(),
    session: z.string().optional().describe('The session whose transcript the file is.'),
    agentPath: z.string().optional().describe('The agent module that its header names.'),
    summary: Summary.optional(),
    trouble: z
      .enum(['no summary', 'invalid summary format'])
      .optional()
      .describe('Why there is no summary, in a file of a format that has one.'),
  }),
  faces: { chat: ['resume'] },
  async run({ file }, { store }) {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) return { exists: false };
    const { parseMarkdown } = await import('../../transcripts/index.ts');
    const text = /\.(?:md|markdown|txt)$/i.test(file) ? await readFile(file, 'utf8') : '';
    const { header, summary } = parseMarkdown(text);
    const there = header.sessionId === undefined ? undefined : await store.session(header.sessionId);
    // The mirror of a session is that session; the id in another file proves nothing. An imported session may have come from
    // another file of the same name, or from this one when it was shorter.
    const isOurs =
      there && (there.state.settings.source == null || file === mirrorFile(store.facts.location, there.id));
    if (isOurs) return { exists: true, session: there.id };
    return {
      exists: true,
      ...(header.agentPath !== undefined && { agentPath: header.agentPath }),
      ...(summary ? { summary } : text !== '' && { trouble: troubleIn(text) }),
    };
  },
});

function troubleIn(text: string): 'no summary' | 'invalid summary format' {
  return text.includes(SUMMARY_START) || text.includes(SUMMARY_END) ? 'invalid summary format' : 'no summary';
}
