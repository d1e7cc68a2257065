import { createHash } from 'node:crypto';
import type { Part } from '../record/index.ts';
import type { Paired, Result } from './pair-tools.ts';

// Ids and names of calls go back as they came to the model that made them. Other providers refuse characters, lengths
// and repeated ids that this one allowed, so they get safe ones; call and result always agree.

const SAFE = /^[A-Za-z0-9_-]{1,64}$/;

export function withSendIds(paired: readonly Paired[]): Paired[] {
  const used = new Set<string>();
  return paired.map((one) => {
    const { spoken, parts, results } = one;
    if (spoken.role !== 'assistant' || !parts.some((part) => part.type === 'tool-call')) return one;
    const { bound } = spoken.rendered;
    const inline = new Map<unknown, string>();
    const sent: Part[] = [];
    const renamed: Result[] = [];
    for (const part of parts) {
      if (part.type === 'tool-result') {
        sent.push(renamedPart(part, inline.get(part.toolCallId), bound));
      } else if (part.type !== 'tool-call') {
        sent.push(part);
      } else {
        const id = freeId(part.toolCallId as string, { bound, seq: spoken.entry.seq, used });
        sent.push(renamedPart(part, id, bound));
        if (part.providerExecuted === true) inline.set(part.toolCallId, id);
        else {
          const result = results[renamed.length]!;
          renamed.push({ ...result, part: renamedPart(result.part, id, bound, part.toolName as string) });
        }
      }
    }
    return { spoken, parts: sent, results: renamed };
  });
}

function freeId(
  id: string,
  { bound, seq, used }: { bound: boolean; seq: number; used: Set<string> },
): string {
  const safe = SAFE.test(id) || (bound && id !== '') ? id : `call_${shortHash(id)}`;
  let free = safe;
  for (let n = 0; used.has(free); n++) free = `call_${shortHash(safe)}_${seq}${n === 0 ? '' : `_${n}`}`;
  used.add(free);
  return free;
}

function renamedPart(
  part: Part,
  id: string | undefined,
  bound: boolean,
  name = part.toolName as string,
): Part {
  const toolName = bound || SAFE.test(name) ? name || 'tool' : safeName(name);
  if (id === part.toolCallId && toolName === part.toolName) return part;
  return { ...part, toolCallId: id, toolName };
}

function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool';
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
