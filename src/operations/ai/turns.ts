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
import { TurnAnswerRecord } from '../records/turn-record.ts';
import { refused } from '../refused.ts';
import { turnsFor } from '../runs/turns-for.ts';
import { tellTurn } from '../turn/turns.ts';
import type { TurnApp } from '../turn-app.ts';
import { AiSessionField, problemsOf } from './ai-session-fields.ts';
import { findChatSession } from './sessions.ts';

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
    turn: TurnAnswerRecord.optional().describe('With `wait`.'),
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

export const continueTurnOperation = operation({
  name: 'ai/session/continue',
  summary:
    'Asks again for the newest turn if it has no whole answer (cut by a person, a provider, a crash or a stop, failed, or at its limit), and runs the messages that wait.',
  writes: true,
  fails: ['session-trashed', 'lease-held'],
  params: z.strictObject({
    sessionId: AiSessionField.optional().describe(
      'The AI session, from `ai/session/create` or `ai/session/resume`; not needed with `storageSessionId`.',
    ),
    storageSessionId: SessionField.optional(),
    stream: z.boolean().default(true),
    waitMs: WaitField,
  }),
  result: z.strictObject({
    started: z.boolean(),
    messageId: z.string().nullable(),
    chatSessionId: z.string(),
  }),
  faces: { rpc: true },
  async run({ stream, waitMs, ...named }, app: TurnApp, { streamTurn }) {
    const { info, asked } = await findChatSession(app, named);
    const started = await app.runs.goOn(info.id, turnsFor(app, asked), { waitMs });
    if (started && stream) streamTurn?.(info.id, started.messageId);
    return { started: started !== undefined, messageId: started?.messageId ?? null, chatSessionId: info.id };
  },
});

export const cancelTurn = operation({
  name: 'ai/session/cancel',
  summary: 'Stops the turn that is running. The part of the answer that is there is kept as interrupted.',
  writes: true,
  params: z.strictObject({
    sessionId: AiSessionField.optional(),
    chatSessionId: SessionField.optional(),
    all: z.boolean().default(false).describe('Also those that wait: they are kept, and not answered.'),
  }),
  result: z.strictObject({ cancelled: z.int().describe('How many turns were stopped.') }),
  faces: { rpc: true },
  async run({ sessionId, chatSessionId, all }, app: TurnApp) {
    if (sessionId === undefined && chatSessionId === undefined)
      throw refused('usage', 'Name what to stop: "sessionId" or "chatSessionId".');
    const { info } = await findChatSession(app, { sessionId, storageSessionId: chatSessionId });
    return { cancelled: await app.runs.cancel(info.id, { all }) };
  },
});
