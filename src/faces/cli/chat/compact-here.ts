import { resumeCompaction } from '../../../agent/index.ts';
import { compactContext, draftContext } from '../../../operations/compaction/index.ts';
import { perform, type Request } from '../../../operations/index.ts';
import { renderCompaction } from '../render/render-compaction.ts';
import { renderDraft, SAME_DRAFT } from '../render/render-draft.ts';
import { reviewDraft } from '../review-draft.ts';
import { canEdit } from '../terminal/edit-text.ts';
import { type Chat, sessionOf, stoppableChat, writerOf } from './chat.ts';
import { appOf } from './chat-app.ts';

/** Shortens what the model sees of this session; it stays the same session. */
export async function compactHere(chat: Chat, args: readonly string[]): Promise<void> {
  const session = sessionOf(chat);
  const { screen } = chat;
  // Also if there is nothing to shorten: a person looks after it.
  resumeCompaction(session);
  screen.begin('📝 Shortening this session... ');
  try {
    await using app = appOf(chat);
    const result = await stoppableChat(chat, (stop) =>
      perform(compactContext, asked(chat, args), app, { stop, ...timeOf(chat) }),
    );
    screen.end('✓');
    await shortened(chat, result);
  } catch (error) {
    screen.end('✗');
    throw error;
  }
}

/** The same with a look at the summary before it takes effect. A draft that waits already is the one that is looked at. */
export async function reviewHere(chat: Chat, args: readonly string[]): Promise<void> {
  const session = sessionOf(chat);
  const { screen, input } = chat;
  resumeCompaction(session);
  await using app = appOf(chat);
  screen.begin('📝 Writing a draft of the summary... ');
  const { draft, made } = await stoppableChat(chat, (stop) =>
    perform(draftContext, { ...asked(chat, args), again: args.includes('--again') }, app, {
      stop,
      ...timeOf(chat),
    }),
  ).then(
    (made) => {
      screen.end('✓');
      return made;
    },
    (error: unknown) => {
      screen.end('✗');
      throw error;
    },
  );
  if (!made) screen.say(`${SAME_DRAFT} "/compact review --again" writes it anew.`);
  if (!input.interactive || !canEdit()) return screen.show(renderDraft(session.id, draft));
  const outcome = await reviewDraft(
    {
      app,
      session: session.id,
      writer: { writer: 'digest', model: writerOf(chat) },
      request: timeOf(chat),
      lend: (work) => input.lend(work),
      say: (line) => screen.say(line),
      confirm: (question) => input.confirm(`${question} (y/n)`),
    },
    draft,
  );
  if (outcome.did === 'approve') return shortened(chat, outcome.result);
  screen.say(
    `${outcome.emptied ? 'Nothing was changed' : 'Nothing was put in place'}; the draft is kept. "/compact review" shows it again.`,
  );
}

function asked(chat: Chat, args: readonly string[]) {
  const focus = args.filter((arg) => !arg.startsWith('--')).join(' ');
  return {
    chatSessionId: sessionOf(chat).id,
    // The policy of the session is for compactions without a request: a person who asks wants all but the newest turn.
    preset: 'balanced',
    keepTurns: 1,
    writer: 'digest',
    model: writerOf(chat),
    instructions: focus === '' ? undefined : focus,
  } as const;
}

function timeOf({ options: { timeout } }: Chat): Pick<Request, 'modelTimeoutMs'> {
  return { modelTimeoutMs: timeout === undefined ? undefined : timeout * 1000 };
}

/** Shown once a summary is in place, then forgotten. */
async function shortened(chat: Chat, result: Parameters<typeof renderCompaction>[1]): Promise<void> {
  chat.load = undefined;
  chat.warned = 0;
  await chat.screen.show(renderCompaction(sessionOf(chat).id, result, { undo: '/expand' }));
}
