import { writeSyntheticPair } from '../../../summary/index.ts';
import { codexCompaction } from '../../formats/codex/compaction.ts';
import { codexLine, isHumanItem } from '../../formats/codex/line-kind.ts';
import { textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { RecordKind, Shape, SummaryPlace } from '../shape.ts';

/** Codex: a rollout, one line after the other. */
export const codexShape: Shape = {
  kindOf(record): RecordKind {
    const { kind, payload } = codexLine(record);
    if (kind === 'header' || kind === 'context') return 'header';
    if (kind === 'compacted') return 'compaction';
    if (kind === 'event') return 'beside';
    if (kind !== 'item') return 'other';
    const { type, role } = payload;
    if (type === 'function_call_output' || type === 'custom_tool_call_output') return 'result';
    if (type !== 'message') return 'beside';
    if (role === 'assistant') return 'answer';
    return role === 'user' && isHumanItem(payload) ? 'question' : 'beside';
  },
  nameOf: () => undefined,
  parentOf: () => undefined,
  takesBack(record) {
    const { kind, payload } = codexLine(record);
    const { type, num_turns } = payload;
    return kind === 'event' && type === 'thread_rolled_back' && typeof num_turns === 'number' ? num_turns : 0;
  },
  keptBy: () => undefined,
  elide(record, note) {
    const { payload } = codexLine(record);
    const { output } = payload;
    const short =
      typeof output === 'object' && output !== null && !Array.isArray(output)
        ? { ...output, content: note }
        : note;
    return 'payload' in record
      ? { ...record, payload: { ...payload, output: short } }
      : { ...record, output: short };
  },
  callsIn(record) {
    const { payload } = codexLine(record);
    const id = textOf(payload.call_id);
    if (id === undefined) return { calls: [], results: [] };
    const type = String(payload.type);
    if (type.endsWith('_call_output')) return { calls: [], results: [id] };
    return { calls: type === 'function_call' || type === 'custom_tool_call' ? [id] : [], results: [] };
  },
  summaryRecords({ text, style, timestamp, like }: SummaryPlace): Fields[] {
    // The layout of 2025 has no lines with a payload, and no line for a compaction.
    const bare = !('payload' in like);
    const line = (type: string, payload: Fields): Fields => (bare ? payload : { timestamp, type, payload });
    if (style === 'own' && !bare) return [line('compacted', codexCompaction(text))];
    const { user, assistant } = writeSyntheticPair(text);
    const message = (role: string, type: string, words: string) =>
      line('response_item', { type: 'message', role, content: [{ type, text: words }] });
    return [message('user', 'input_text', user), message('assistant', 'output_text', assistant)];
  },
};
