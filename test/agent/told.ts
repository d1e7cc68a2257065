import type { Entry } from '../../src/record/index.ts';
import type { Session } from '../../src/session/index.ts';

/**
 * A log as one would tell it: who said what, `!` for what was interrupted, notes in brackets. How turns ended is left
 * out: their records tell that.
 */
export async function told(session: Session): Promise<string[]> {
  return (await session.read()).filter((entry) => !isEnd(entry)).map(tellEntry);
}

/** The note that a turn ended without a whole answer, or was begun again. */
export function isEnd({ body }: Pick<Entry, 'body'>): boolean {
  return body.kind === 'run' && (body.step === 'ended' || body.step === 'begun');
}

export function tellEntry({ body }: Pick<Entry, 'body'>): string {
  if (body.kind === 'run') return `(${body.step})`;
  if (body.kind === 'setting') return `(${body.name})`;
  if (body.kind !== 'message') return `(${body.kind})`;
  // Anthropic sends a part that only says that the message begins.
  const parts = body.parts
    .filter(({ type }) => type !== 'custom')
    .map((part) => {
      if (part.type === 'tool-call') return `${String(part.toolName)}(${JSON.stringify(part.input)})`;
      if (part.type === 'tool-result') return `= ${tellOutput(part.output)}`;
      if (part.type === 'reasoning') return `<${String(part.text)}>`;
      return part.type === 'text' ? String(part.text) : `[${part.type}]`;
    });
  return `${body.role}${body.status === 'interrupted' ? '!' : ''}: ${parts.join(' ')}`.trimEnd();
}

function tellOutput(output: unknown): string {
  const { type, value, reason } = output as { type: string; value?: unknown; reason?: unknown };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'execution-denied') return `denied ${String(reason ?? '')}`.trim();
  return type.startsWith('error') ? `error ${text}` : text;
}
