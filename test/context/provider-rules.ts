import type { ContextMessage } from '../../src/context/index.ts';
import type { Part } from '../../src/record/index.ts';

// What each provider's API refuses, as far as a list of messages can show it. Each rule set turns the messages into the
// provider's own form first, as the AI SDK does, and then reads that form as strictly as the API.

export type Rules = (messages: readonly ContextMessage[]) => string[];

/** Which rules hold for requests to which model. */
export const MODELS: Record<string, Rules> = {
  'anthropic:claude': anthropic,
  'openai:gpt': openaiResponses,
  'openai-chat:gpt': openaiChat,
  'google:gemini': google,
};

const ID = /^[A-Za-z0-9_-]{1,64}$/;

function partsOf(message: ContextMessage): Part[] {
  return message.content as unknown as Part[];
}

function isLocalCall(part: Part): boolean {
  return part.type === 'tool-call' && part.providerExecuted !== true;
}

/** What the AI SDK itself throws at, and what no API takes. */
export const common: Rules = (messages) => {
  const wrong: string[] = [];
  if (messages.length === 0) wrong.push('no messages');
  if (!messages.some(({ role }) => role === 'user')) wrong.push('no user message');
  for (const message of messages) {
    const parts = partsOf(message);
    if (!['user', 'assistant', 'tool'].includes(message.role)) wrong.push(`a ${message.role} message`);
    if (parts.length === 0) wrong.push(`an empty ${message.role} message`);
    const allowed = {
      user: ['text', 'file', 'image'],
      assistant: ['text', 'file', 'reasoning', 'reasoning-file', 'custom', 'tool-call', 'tool-result'],
      tool: ['tool-result'],
    }[message.role as 'user'];
    for (const part of parts) {
      if (!allowed?.includes(part.type)) wrong.push(`a ${part.type} part in a ${message.role} message`);
      if (part.type === 'text' && (typeof part.text !== 'string' || part.text.trim() === ''))
        wrong.push('a blank text');
      if (part.type === 'tool-call' && !isObject(part.input)) wrong.push('arguments that are no object');
      if (part.type === 'tool-result') wrong.push(...outputRules(part.output as Part));
    }
  }
  if (!isWellFormed(messages)) wrong.push('a lone surrogate');
  return [...wrong, ...unanswered(messages)];
};

/** The SDK wants every result before anybody speaks again. */
function unanswered(messages: readonly ContextMessage[]): string[] {
  const open = new Set<unknown>();
  for (const message of messages) {
    if (message.role === 'user' && open.size > 0) return [`a question before the results of ${[...open]}`];
    for (const part of partsOf(message)) {
      if (isLocalCall(part)) open.add(part.toolCallId);
      if (message.role === 'tool') open.delete(part.toolCallId);
    }
  }
  return open.size > 0 ? [`no results of ${[...open]}`] : [];
}

function outputRules(output: Part): string[] {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return typeof output.value === 'string' && output.value !== '' ? [] : ['an empty output'];
    case 'json':
    case 'error-json':
      return output.value === undefined ? ['an output without a value'] : [];
    case 'execution-denied':
      return [];
    case 'content': {
      const items = output.value as Part[];
      if (!Array.isArray(items) || items.length === 0) return ['an output without content'];
      return items.some((item) => item.type === 'text' && String(item.text).trim() === '')
        ? ['a blank text in an output']
        : [];
    }
    default:
      return [`an output of type ${output.type}`];
  }
}

/** Messages of one side are joined; results come first in the user's message right after the calls; ids are unique. */
function anthropic(messages: readonly ContextMessage[]): string[] {
  const wrong: string[] = [];
  const sides: { role: string; parts: Part[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    if (sides.at(-1)?.role === role) sides.at(-1)!.parts.push(...partsOf(message));
    else sides.push({ role, parts: [...partsOf(message)] });
  }
  if (sides[0]?.role !== 'user') wrong.push('does not begin with the user');
  const ids = new Set<unknown>();
  for (const [index, { role, parts }] of sides.entries()) {
    const results = parts.filter(({ type }) => type === 'tool-result').map(({ toolCallId }) => toolCallId);
    if (role === 'user') {
      const called = sides[index - 1]?.parts.filter(isLocalCall).map(({ toolCallId }) => toolCallId) ?? [];
      if (!sameSet(called, results)) wrong.push(`calls ${called} but results ${results}`);
      if (parts.slice(0, results.length).some(({ type }) => type !== 'tool-result'))
        wrong.push('results do not come first');
      continue;
    }
    if (parts.some(isLocalCall) && !sides[index + 1]) wrong.push('ends with a call');
    if (parts.at(-1)?.type === 'reasoning') wrong.push('thinking at the end of a message');
    for (const part of parts) {
      if (part.type === 'reasoning' && !hasSignature(part)) wrong.push('thinking without a signature');
      if (part.type !== 'tool-call') continue;
      if (ids.has(part.toolCallId)) wrong.push(`repeated id ${part.toolCallId}`);
      ids.add(part.toolCallId);
      if (!ID.test(String(part.toolCallId))) wrong.push(`id ${part.toolCallId}`);
      if (!ID.test(String(part.toolName))) wrong.push(`tool name ${part.toolName}`);
    }
    wrong.push(...serverTools(parts));
  }
  return wrong;
}

/** A tool that the provider ran has its result in the same message, after the call. */
function serverTools(parts: readonly Part[]): string[] {
  const wrong: string[] = [];
  const open = new Set<unknown>();
  for (const part of parts) {
    if (part.type === 'tool-call' && part.providerExecuted === true) open.add(part.toolCallId);
    if (part.type === 'tool-result' && !open.delete(part.toolCallId))
      wrong.push('a result without a server call');
  }
  return open.size > 0 ? [...wrong, 'a server call without a result'] : wrong;
}

/** Each message with calls is followed by one tool message for each of them, and nothing else. */
function openaiChat(messages: readonly ContextMessage[]): string[] {
  const wrong: string[] = [];
  let open: unknown[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      for (const { toolCallId } of partsOf(message)) {
        if (!open.includes(toolCallId)) wrong.push(`a result without a call: ${toolCallId}`);
        open = open.filter((id) => id !== toolCallId);
      }
      continue;
    }
    if (open.length > 0) wrong.push(`calls without results: ${open}`);
    const calls = partsOf(message).filter(({ type }) => type === 'tool-call');
    open = calls.map(({ toolCallId }) => toolCallId);
    if (new Set(open).size < open.length) wrong.push('repeated ids in one message');
    for (const { toolCallId, toolName } of calls) {
      if (String(toolCallId).length > 64) wrong.push(`long id ${toolCallId}`);
      if (!ID.test(String(toolName))) wrong.push(`tool name ${toolName}`);
    }
    const says = partsOf(message).some(
      ({ type }) => type === 'text' || type === 'file' || type === 'tool-call',
    );
    if (!says) wrong.push('a message that says nothing');
  }
  if (open.length > 0) wrong.push(`ends without results: ${open}`);
  return wrong;
}

/** A list of items: outputs match calls one to one; reasoning is followed by what it led to, and what it led to needs it. */
function openaiResponses(messages: readonly ContextMessage[]): string[] {
  const wrong: string[] = [];
  const called = new Map<unknown, number>();
  for (const message of messages) {
    const parts = partsOf(message);
    for (const [index, part] of parts.entries()) {
      const itemId = (part.providerOptions as { openai?: { itemId?: string } } | undefined)?.openai?.itemId;
      if (
        part.type === 'reasoning' &&
        !parts.slice(index + 1).some(({ type }) => type === 'text' || type === 'tool-call')
      ) {
        wrong.push('reasoning that nothing follows');
      }
      const needs = itemId?.startsWith('msg_rs') ? itemId.slice(4) : undefined;
      if (needs && !JSON.stringify(parts.slice(0, index)).includes(`"${needs}"`))
        wrong.push(`${itemId} without its reasoning`);
      if (isLocalCall(part)) {
        if (called.has(part.toolCallId)) wrong.push(`repeated id ${part.toolCallId}`);
        called.set(part.toolCallId, 0);
        if (!ID.test(String(part.toolName))) wrong.push(`tool name ${part.toolName}`);
      }
      if (message.role === 'tool') {
        const before = called.get(part.toolCallId);
        if (before === undefined) wrong.push(`an output without a call: ${part.toolCallId}`);
        else called.set(part.toolCallId, before + 1);
      }
    }
  }
  for (const [id, outputs] of called) if (outputs !== 1) wrong.push(`${outputs} outputs for ${id}`);
  return wrong;
}

/** A call comes directly after the user or a result, and is answered in full by the very next content. */
function google(messages: readonly ContextMessage[]): string[] {
  const wrong: string[] = [];
  if (messages[0]?.role !== 'user') wrong.push('does not begin with the user');
  for (const [index, message] of messages.entries()) {
    const called = partsOf(message)
      .filter(isLocalCall)
      .map(({ toolCallId }) => toolCallId);
    const next = messages[index + 1];
    const answered = next?.role === 'tool' ? partsOf(next).map(({ toolCallId }) => toolCallId) : [];
    if (message.role === 'assistant') {
      if (called.length > 0 && messages[index - 1]?.role === 'assistant')
        wrong.push('a call after a model turn');
      if (!sameSet(called, answered)) wrong.push(`calls ${called} but responses ${answered}`);
    } else if (message.role === 'tool' && messages[index - 1]?.role !== 'assistant') {
      wrong.push('a response that does not follow a call');
    }
  }
  return wrong;
}

function hasSignature({ providerOptions }: Part): boolean {
  return Boolean(
    (providerOptions as { anthropic?: { signature?: string } } | undefined)?.anthropic?.signature,
  );
}

function sameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && new Set(b).size === b.length && a.every((one) => b.includes(one));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, field]) => key.isWellFormed() && isWellFormed(field));
}
