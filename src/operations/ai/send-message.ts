import { z } from 'zod';
import { newEntryId, type Part } from '../../record/index.ts';
import {
  AgentProblem,
  ContentField,
  ModelField,
  ModelProblem,
  NewIdField,
  ProviderField,
  SessionField,
  WaitField,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { TurnRecord } from '../records/turn-record.ts';
import { turnsFor } from '../runs/turns-for.ts';
import { tellTurn } from '../turn/tell-turn.ts';
import type { TurnApp } from '../turn-app.ts';
import { AiSessionField, problemsOf } from './ai-session-fields.ts';
import { findChatSession } from './find-chat-session.ts';

export const sendMessage = operation({
  name: 'ai/session/send',
  summary:
    'Sends a message to the model. Success means that the message is stored; the answer comes as `ai/session/event` notifications and is in the log. The turn goes on when the caller disconnects.',
  writes: true,
  fails: ['session-trashed', 'lease-held', 'entry-conflict'],
  params: z.strictObject({
    sessionId: AiSessionField.optional().describe(
      'The AI session, from `ai/session/create` or `ai/session/resume`; not needed with `storageSessionId`.',
    ),
    content: ContentField,
    storageSessionId: SessionField.optional().describe(
      'The chat session. With it the call also works when the server was restarted since.',
    ),
    id: NewIdField,
    provider: ProviderField.optional().describe('For this message only.'),
    model: ModelField.optional().describe('For this message only.'),
    stream: z.boolean().default(true).describe('Send the events of this turn to this connection.'),
    wait: z
      .boolean()
      .default(false)
      .describe('Answer once the turn has ended, with its record: also if it failed, since it is stored.'),
    waitMs: WaitField,
  }),
  result: z.strictObject({
    stored: z.literal(true),
    messageId: z.string(),
    chatSessionId: z.string(),
    waiting: z.boolean().describe('Another turn is running; this one comes after it.'),
    modelProblem: ModelProblem,
    agentProblem: AgentProblem,
    turn: TurnRecord.optional().describe('With `wait`.'),
    text: z.string().nullable().optional().describe('With `wait`: what the newest answer says.'),
  }),
  faces: { rpc: true },
  async run(params, app: TurnApp, { handedOver, streamTurn }) {
    const {
      sessionId,
      storageSessionId,
      content,
      id = newEntryId(),
      stream,
      wait,
      waitMs,
      ...forThis
    } = params;
    const { info, asked } = await findChatSession(app, { sessionId, storageSessionId });
    const parts: string | Part[] = typeof content === 'string' ? content : content;
    const model = forThis.provider === undefined && forThis.model === undefined ? asked : forThis;
    const leave = stream ? streamTurn?.(info.id, id) : undefined;
    const started = app.runs.start(info.id, { id, parts }, turnsFor(app, model), { waitMs });
    const { messageId, waiting, over, prepared } = await started.catch((error: unknown) => {
      leave?.();
      throw error;
    });
    const named = { messageId, chatSessionId: info.id, waiting };
    const stored = { stored: true, ...named, ...problemsOf(prepared) } as const;
    if (!wait) return stored;
    handedOver?.({ isWaiting: true });
    await over;
    return { ...stored, ...(await tellTurn(app, info.id, messageId)) };
  },
});
