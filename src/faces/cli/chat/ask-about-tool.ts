import type { Approval, ApprovalRequest, ApprovalScope } from '../../../agent/index.ts';
import { shortValue } from '../render/short-value.ts';
import type { ChatInput } from './chat.ts';

const SCOPES: Readonly<Record<string, ApprovalScope>> = {
  y: 'once',
  yes: 'once',
  s: 'session',
  session: 'session',
  a: 'always',
  always: 'always',
};

/** Asks whether a tool may run, and for how long that holds. Anything that is no clear yes is a no. */
export async function askAboutTool(
  chat: Pick<ChatInput, 'ask'>,
  { toolName, input, scopes }: Pick<ApprovalRequest, 'toolName' | 'input' | 'scopes'>,
): Promise<Approval> {
  const choices = scopes.length > 1 ? '(y)es / for this (s)ession / (a)lways / (n)o' : '(y/n)';
  const answer = await chat.ask(`Run ${toolName} ${shortValue(input)}? ${choices}`);
  const scope = SCOPES[answer?.trim().toLowerCase() ?? ''];
  return scope !== undefined && scopes.includes(scope) ? { approved: true, scope } : { approved: false };
}
