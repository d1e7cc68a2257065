// What a conversation comes to, said the same way for every program: the summary, then words, calls and results.
import { readFrontier } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';

/** What would be sent on: the summary, then words, calls and results, in order. */
export async function ours(store: Store, id: string): Promise<string[]> {
  const frontier = await readFrontier(store, (await store.session(id))!);
  return frontier.flatMap(({ body }) => {
    if (body.kind === 'compaction') return ['summary'];
    if (body.kind !== 'message' || body.role === 'system') return [];
    return body.parts.flatMap((part) => {
      if (part.type === 'text' && part.text) return [`${body.role}: ${part.text}`];
      if (part.type === 'tool-call') return [`call ${cleanId(part.toolCallId)}`];
      return part.type === 'tool-result' ? [`result ${cleanId(part.toolCallId)}`] : [];
    });
  });
}

export function cleanId(id: unknown): string {
  return String(id).replace(/[^A-Za-z0-9_-]/g, '_');
}

interface Block {
  type: string;
  text?: string;
  id?: string;
  tool_use_id?: string;
}

/** What pi would send on. */
export function saidByPi(messages: readonly unknown[]): string[] {
  return messages.flatMap((message) => {
    const { role, content, toolCallId, command } = message as {
      role: string;
      content?: string | Block[];
      toolCallId?: string;
      command?: string;
    };
    if (role === 'compactionSummary') return ['summary'];
    if (role === 'toolResult') return [`result ${cleanId(toolCallId)}`];
    if (role === 'bashExecution') return [`user: Ran \`${command}\``];
    if (role !== 'user' && role !== 'assistant') return [];
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
    return blocks.flatMap((block: Block) => {
      if (block.type === 'text' && block.text) return [`${role}: ${block.text}`];
      return block.type === 'toolCall' ? [`call ${cleanId(block.id)}`] : [];
    });
  });
}

/** Of a command that a person ran, pi keeps the output elsewhere. */
export function shortCommand(line: string): string {
  return line.replace(/^(user: Ran `[^`]*`)[\s\S]*/, '$1');
}

/** What Claude's SDK reads. */
export function saidByClaude(messages: readonly { type: string; message: unknown }[]): string[] {
  return messages.flatMap(({ type, message }) => {
    const { content } = message as { content: string | Block[] };
    const blocks: Block[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return blocks.flatMap((block) => {
      if (block.type === 'tool_use') return [`call ${block.id}`];
      if (block.type === 'tool_result') return [`result ${block.tool_use_id}`];
      if (block.type !== 'text' || !block.text) return [];
      return block.text.startsWith('This session is being continued')
        ? ['summary']
        : [`${type}: ${block.text}`];
    });
  });
}

interface CodexItem {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly Block[];
  readonly call_id?: string;
}

/**
 * What Codex sends on, but for what it says itself: where it works, what it may do. Where it has compacted by itself, the
 * questions that it keeps before its summary are part of that.
 */
export function saidByCodex(items: readonly CodexItem[], { compacted }: { compacted: boolean }): string[] {
  const said = items.flatMap(({ type, role, content = [], call_id }) => {
    if (/_call$/.test(type)) return [`call ${cleanId(call_id)}`];
    if (/_call_output$/.test(type)) return [`result ${cleanId(call_id)}`];
    if (type === 'compaction') return ['summary'];
    if (type !== 'message' || role === 'developer') return [];
    return content.flatMap(({ text = '' }) => {
      if (/^(?:<[a-z_]+>|# AGENTS\.md instructions)/.test(text)) return [];
      return text.startsWith('Another language model started') ? ['summary'] : [`${role}: ${text}`];
    });
  });
  return compacted ? said.slice(Math.max(0, said.lastIndexOf('summary'))) : said;
}
