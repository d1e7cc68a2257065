import { fieldsOf, isFields, textOf } from '../../source/fields.ts';
import type { Fields } from '../../source/recover-line.ts';

/** What a record says, in both layouts: typed lines with a payload, and the bare items of 2025. */
interface Line {
  readonly kind: 'header' | 'item' | 'event' | 'compacted' | 'context' | 'other' | 'unknown';
  readonly payload: Fields;
}

const KNOWN = new Set([
  'world_state',
  'turn_context',
  'ghost_snapshot',
  'session_state',
  'inter_agent',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'security_risk_score',
  'token_usage_record',
]);
const ITEMS = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
]);

export function codexLine(value: Fields): Line {
  const { type, payload } = value;
  if (!isFields(payload)) return bareLine(value);
  switch (type) {
    case 'session_meta':
      return { kind: 'header', payload };
    case 'response_item':
      return { kind: 'item', payload };
    case 'event_msg':
      return { kind: 'event', payload };
    case 'compacted':
      return { kind: 'compacted', payload };
    case 'turn_context':
      return { kind: 'context', payload };
    default:
      return { kind: typeof type === 'string' && KNOWN.has(type) ? 'other' : 'unknown', payload };
  }
}

function bareLine(value: Fields): Line {
  if (typeof value.record_type === 'string') return { kind: 'other', payload: value };
  if (typeof value.type === 'string' && ITEMS.has(value.type)) return { kind: 'item', payload: value };
  const header = value.type === undefined && typeof value.id === 'string' && 'timestamp' in value;
  return { kind: header ? 'header' : 'unknown', payload: value };
}

export function isCodexRecord(value: Fields): boolean {
  const { kind } = codexLine(value);
  if (kind !== 'unknown') return kind !== 'header' || isHeader(value);
  return isFields(value.payload) && typeof value.type === 'string' && typeof value.timestamp === 'string';
}

function isHeader({ type, instructions, git, cwd }: Fields): boolean {
  return type === 'session_meta' || instructions !== undefined || git !== undefined || cwd !== undefined;
}

/** How messages begin that Codex writes in the person's place: instructions, surroundings, events. */
const BY_PROGRAM =
  /^\s*(?:# AGENTS\.md instructions\b|<(?:permissions instructions|[a-z]+(?:_[a-z]+)+|skill|INSTRUCTIONS)>)/;

/** Whether a message with the role "user" is what a person wrote: any of its pieces is. */
export function isHumanItem({ content }: Fields): boolean {
  const pieces = Array.isArray(content) ? content.map(fieldsOf) : [];
  return pieces.length === 0 || pieces.some(({ text }) => !BY_PROGRAM.test(textOf(text) ?? ''));
}
