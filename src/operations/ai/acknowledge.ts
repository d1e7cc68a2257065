import { type SessionCounts, sayCounts } from '../../agent/index.ts';
import { isThroughlineError } from '../../errors.ts';
import { generate, type OpenedModel } from '../../models/index.ts';
import type { Acknowledgement, SessionInfo, Summary } from '../../record/index.ts';
import { writeSessionSummary } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';

const ANSWER_TOKENS = 600;
const PATIENCE_MS = 60_000;

interface Acknowledged {
  readonly acknowledgement?: Acknowledgement;
  /** Why the agent said nothing. */
  readonly problem?: string;
}

interface Asking {
  readonly model: OpenedModel;
  /** Agent, system prompt and project, as a turn of the session sends them. */
  readonly instructions: () => Promise<string | undefined>;
  readonly signal: AbortSignal | undefined;
}

/** Gives the agent the summary of the session before, and has it say so in its own words. The answer is taken as it is. */
export async function acknowledge(
  before: Before,
  { model, instructions, signal }: Asking,
): Promise<Acknowledged> {
  const { summary } = before;
  const prompt = restorationPrompt(before);
  if (model.provider === 'offline') return { acknowledgement: offline(prompt, summary, model) };
  try {
    const { text, usage, durationMs } = await generate({
      model,
      instructions: await instructions(),
      messages: [{ role: 'user', content: prompt }],
      maxOutputTokens: Math.min(ANSWER_TOKENS, model.limits.output),
      timeoutMs: PATIENCE_MS,
      signal,
    });
    const parts = text.trim() === '' ? [] : [{ type: 'text', text }];
    return { acknowledgement: { parts, model: model.id, usage, durationMs } };
  } catch (error) {
    if (!isThroughlineError(error)) throw error;
    return { problem: error.message };
  }
}

/** The session before, and its summary. */
interface Before {
  readonly parent: SessionInfo;
  readonly summary: Summary;
  readonly counts: SessionCounts;
  /** Its transcript. */
  readonly file?: string;
}

function restorationPrompt({ parent, summary, counts, file }: Before): string {
  const { id, updatedAt } = parent;
  const from =
    parent.parent?.relation === 'resume' ? [`This session was resumed from: ${parent.parent.session}`] : [];
  return [
    `CONTEXT RESTORATION: You are continuing a previous conversation from ${toMinute(updatedAt)}.`,
    '',
    `Previous session summary (Session ID: ${id}, ${sayCounts(counts)}):`,
    '',
    ...from,
    ...(file === undefined ? [] : [`Previous session file: ${file}`]),
    '',
    writeSessionSummary(summary),
    '',
    'Task: Review the above and provide a brief acknowledgment (2-6 sentences or bullets) that includes:',
    '1. Main topics discussed',
    '2. Key decisions made',
    "3. Confirmation you're ready to continue",
    '',
    'Keep your response concise.',
  ].join('\n');
}

/** Local time: `2025-12-30 14:30`. */
function toMinute(at: number): string {
  return new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
}

/** Without a model, the summary's own lines. */
function offline(prompt: string, summary: Summary, model: OpenedModel): Acknowledgement {
  const list = (lines: readonly { text: string }[]) =>
    lines
      .slice(0, 3)
      .map(({ text }) => text)
      .join('; ');
  const sentences = [
    `I've read the summary of our previous conversation: ${list(summary.topics) || summary.overview || 'nothing in particular'}.`,
    summary.decisions.length > 0 ? `Decided: ${list(summary.decisions)}.` : '',
    summary.pending.length > 0 ? `Still open: ${list(summary.pending)}.` : '',
    'Ready to continue (offline: no model is connected).',
  ];
  const text = sentences
    .filter((sentence) => sentence !== '')
    .join(' ')
    .replaceAll('..', '.');
  const usage = { inputTokens: countText(prompt), outputTokens: countText(text) };
  return { parts: [{ type: 'text', text }], model: model.id, usage, durationMs: 0 };
}
