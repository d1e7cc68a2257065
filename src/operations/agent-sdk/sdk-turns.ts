import { digestEntries } from '../../compaction/index.ts';
import { buildContext, type ContextState, labelRecord, NO_BEGINNING } from '../../context/index.ts';
import {
  type Entry,
  newEntryId,
  type Seq,
  type SessionId,
  type SessionInfo,
  type Settings,
  settingEntries,
  standingInstructions,
} from '../../record/index.ts';
import { readConversation } from '../../session/index.ts';
import { wholeBody } from '../../store/index.ts';
import { type AnyPart, type SayOptions, sayMessage } from '../../text/index.ts';
import type { TurnApp } from '../turn-app.ts';
import type { SdkRequest } from './agent-sdk.ts';
import { findSdkConversation, type KnownConversation, standsAt } from './find-conversation.ts';
import { readUntold } from './read-untold.ts';

/** A turn as it is sent to the SDK, made from the log at one moment. */
export interface SdkTurn extends Pick<SdkRequest, 'prompt' | 'resume' | 'forkSession'> {
  /**
   * Writes down that the SDK holds the prompt, in the conversation of this id. False if that conversation is not this
   * session's alone: then the turn has to begin a new one.
   */
  acknowledge(id: string): Promise<boolean>;
}

export interface SdkTurns {
  /** `begin`: in a new conversation, whatever the session had. */
  next(options?: { readonly begin?: boolean }): Promise<SdkTurn>;
}

/** What the SDK is sent for the newest question of a session: all that its conversation does not hold, once. */
export function createSdkTurns(
  { store, sessions }: Pick<TurnApp, 'store' | 'sessions'>,
  session: SessionId,
  { window }: { window: number },
): SdkTurns {
  const write = (settings: Pick<Settings, 'cliSessionId' | 'agentSdk'>) =>
    sessions.append(session, settingEntries(settings, { by: 'host' }));

  async function promptFor(info: SessionInfo, found: KnownConversation, question: Entry): Promise<string> {
    const { frontier, pinned, marks } = await readConversation(store, info);
    if (found.how === 'begin') {
      const at = frontier.findIndex(({ id }) => id === question.id);
      const before = at < 0 ? frontier : frontier.slice(0, at);
      // The instructions that the log begins with are in every request's system prompt.
      const standing = new Set(standingInstructions(before));
      return writePrompt(question, {
        frontier: before.filter((entry) => !standing.has(entry)),
        pinned,
        marks,
        of: 'this conversation so far',
        most: window,
      });
    }
    const since = found.how === 'continue' ? found.since : found.mark.heard;
    const { entries, certain } = await readUntold(store, info, {
      mark: found.mark,
      since,
      upTo: question.seq,
    });
    const prompt = writePrompt(question, {
      frontier: entries,
      pinned: [],
      marks,
      of: `messages of this conversation that you ${certain ? 'have not seen' : 'may not have seen'}`,
      most: Math.floor(window / 4),
    });
    const isRepeat = found.mark !== undefined && question.seq <= since;
    return isRepeat ? `${ASKED_BEFORE}\n\n${prompt}` : prompt;
  }

  return {
    async next({ begin = false } = {}) {
      const info = (await store.session(session))!;
      const question = await newestQuestion(info);
      const found: KnownConversation = begin ? { how: 'begin' } : await findSdkConversation(store, info);
      const prompt = await promptFor(info, found, question);
      const own = found.how === 'continue' ? found.mark : undefined;
      // Before the SDK is asked: forks must not take the conversation for one that stands still.
      if (own) await write({ agentSdk: { ...own, asking: question.seq } });
      return {
        prompt,
        ...(found.how !== 'begin' && { resume: found.id }),
        ...(found.how === 'fork' && { forkSession: true }),
        async acknowledge(id) {
          if (found.how === 'fork' && (id === found.id || !(await standsAt(store, found.mark)))) return false;
          const mark = { id, session, heard: question.seq, turns: (own?.turns ?? 0) + 1 };
          await write({ cliSessionId: id, agentSdk: mark });
          return true;
        },
      };
    },
  };

  async function newestQuestion({ id, head }: SessionInfo): Promise<Entry> {
    for (let upTo: Seq = head; ; ) {
      const range = { upTo, only: 'messages', order: 'newest-first', limit: 20 } as const;
      const page = await store.read(id, range);
      const found = page.find(({ body }) => body.kind === 'message' && body.role === 'user');
      if (found) return { ...found, body: await wholeBody(found.body, (hash) => store.blob(hash)) };
      if (page.length === 0) throw new Error(`bug: session "${id}" has no question for the agent SDK`);
      upTo = page.at(-1)!.seq - 1;
    }
  }
}

const ASKED_BEFORE =
  '[The message below was sent to you before, and no whole answer to it was kept. Answer it now.]';

interface History extends Pick<ContextState, 'frontier' | 'pinned' | 'marks'> {
  /** The name of the history in its label. */
  readonly of: string;
  /** The most tokens that it may take. */
  readonly most: number;
}

/** The question, behind the history that the SDK does not hold. History over `most` is summarised or left out, and labelled so. */
function writePrompt(question: Entry, { of, most, ...state }: History): string {
  const asked = textOf(question.body.kind === 'message' ? question.body.parts : []);
  if (state.frontier.length === 0) return asked;
  const { instructions, messages } = buildContext(
    { ...state, head: [] },
    { window: most, reserve: 1 },
    { digest: (entries, maxTokens) => digestEntries(entries, { maxTokens }) },
  );
  // The SDK holds the beginning, or there is none.
  const lines = messages
    .map(({ role, content }) => ({ role, text: textOf(content) }))
    .filter(({ text }) => text !== NO_BEGINNING)
    .map(({ role, text }) => `${role}: ${text}`);
  const history = [...(instructions === '' ? [] : [`system: ${instructions}`]), ...lines].join('\n\n');
  return history === '' ? asked : `${labelRecord(newEntryId(), of, history)}\n\n${asked}`;
}

const WORDING: SayOptions = {
  call: ({ name, input }) => `(calls ${name} ${input})`,
  result: ({ name, output }) => `(${name} gave ${output})`,
  file: ({ type }) => `[${type}]`,
  other: (type) => `[${type}]`,
};

function textOf(parts: readonly AnyPart[]): string {
  return sayMessage({ parts }, WORDING).toWellFormed();
}
