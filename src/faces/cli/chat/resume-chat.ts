import { chooseFor, countSession, sayCounts } from '../../../agent/index.ts';
import { isThroughlineError } from '../../../errors.ts';
import { answering, type OpenedModel } from '../../../models/index.ts';
import { resumeFromSummary } from '../../../operations/ai/index.ts';
import { summariseSession } from '../../../operations/compaction/index.ts';
import { perform } from '../../../operations/index.ts';
import type { SessionInfo, Summary } from '../../../record/index.ts';
import { openSession, titleInChain } from '../../../session/index.ts';
import { sayTitle } from '../../../text/index.ts';
import { sayTime } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { type Chat, nameOfChat, stoppableChat, writerOf } from './chat.ts';
import { appOf } from './chat-app.ts';
import { chooseChatAgent } from './choose-agent.ts';
import { CHAT_OWNER } from './choose-session.ts';
import { sayReason, sayTaken } from './leave-chat.ts';
import type { LoadedTranscript } from './load-transcript.ts';
import { takeModel } from './status-line.ts';

/**
 * Starts a new session from what an older one came to, and from nothing before that. The agent reads the summary and
 * says so; that is counted, but it is no query. Gives back whether it could be done.
 */
export async function resumeInto(chat: Chat, found: LoadedTranscript | 'no'): Promise<boolean> {
  const { screen, options, place } = chat;
  if (found === 'no') return sayDeclined(chat);
  const { parent } = found;
  const title = visibleLine(sayTitle(await titleInChain(place.store, parent)));
  const counts = sayCounts(await countSession(place.store, parent));
  screen.say(`✓ Found: ${title} - ${sayTime(parent.updatedAt)} (${counts})`);
  const agent = found.chosen ? found.chosen.agent : await chooseChatAgent(chat, parent.state.settings);
  if (agent === 'no') return sayDeclined(chat);
  const { chosen } = await chooseFor(parent, {
    model: options.model,
    agent: agent ?? false,
    current: chat.model,
  });
  const model = answering(chosen);
  const known = await findSummary(chat, found, chat.writer ?? model.opened);
  if (!known) {
    const next = chat.session ? '; this session goes on' : ', starting fresh';
    screen.warn(`Session can't be resumed (no summary, and nothing was said in it)${next}`);
    return false;
  }
  // From here on nothing is in the way: until then the chat stays with what it has.
  if (model.id === chat.shownModel && model.problem !== undefined) screen.warn(model.problem);
  takeModel(chat, model);
  chat.agent = agent;
  await startFrom(chat, known);
  return true;
}

function sayDeclined({ screen }: Chat): false {
  screen.say('Not resumed: it stays with its agent.');
  return false;
}

/** Makes the new session, and shows the acknowledgement of the agent. */
export async function startFrom(chat: Chat, { parent, summary }: FoundSummary): Promise<void> {
  const { screen, place, agent, model, options } = chat;
  screen.say('🔄 Restoring context...');
  // The model of the chat goes on in a session that names none, unless the environment names it anyway.
  const isCarried = model.because === 'session' || (model.because === 'agent' && agent?.model === undefined);
  const keep = options.model !== undefined ? 'named' : isCarried ? 'current' : undefined;
  const asked = {
    sessionId: parent.id,
    summary,
    folder: place.folder,
    agent: agent && { name: agent.name, path: agent.path },
    model: options.model ?? model.id,
    keep,
    window: options.window,
  } as const;
  await using app = appOf(chat);
  const { id, acknowledgement, problem } = await stoppableChat(chat, (stop) =>
    perform(resumeFromSummary, asked, app, { stop }),
  );
  chat.session = await openSession(place.store, id, { owner: CHAT_OWNER });
  chat.setUp.add(id);
  chat.startedHead = chat.session.info.head;
  chat.warned = 0;
  chat.load = undefined;
  chat.mirror.note(chat.session);
  if (problem !== undefined)
    screen.warn(`The agent did not acknowledge: ${problem} The summary is there all the same.`);
  const said = acknowledgement?.text ?? '';
  if (problem === undefined && said.trim() === '') screen.warn('The agent acknowledged without a word.');
  if (said.trim() !== '') {
    const view = screen.answer(nameOfChat(chat));
    view.add(said);
    await view.end();
  }
  const { usage } = acknowledgement ?? {};
  if (!usage) return;
  const { inputTokens, outputTokens } = usage;
  screen.whisper(
    `Restoration: ${inputTokens + outputTokens} tokens (in: ${inputTokens}, out: ${outputTokens})`,
  );
}

/** The state that a session ended in, and the session as it is then. */
interface FoundSummary {
  readonly summary: Summary;
  readonly parent: SessionInfo;
}

/** The state that a session ended in: as its file says, as it was left, or made now and kept for the next time. */
async function findSummary(
  chat: Chat,
  { parent, summary: inFile, trouble }: LoadedTranscript,
  model: OpenedModel,
): Promise<FoundSummary | undefined> {
  if (inFile) return { summary: inFile, parent };
  const { place, screen } = chat;
  const { store } = place;
  await using app = appOf(chat);
  let begun = false;
  try {
    const asked = { sessionId: parent.id, model: writerOf(chat, model), keep: 'may' } as const;
    const { summary, kept, failures, tokens } = await stoppableChat(chat, (stop) =>
      perform(summariseSession, asked, app, {
        stop,
        onProgress() {
          begun = true;
          if (trouble) screen.warn(`The file can't be resumed from its own words (${trouble}).`);
          screen.begin('📝 It was left without a summary; making one... ');
        },
      }),
    );
    if (begun) screen.end(summary ? '✓' : '✗');
    const failure = failures.at(-1);
    if (failure)
      screen.warn(
        `Summary generation failed: ${sayReason(failure.reason)} The digest wrote it instead.${sayTaken(tokens)}`,
      );
    if (begun && kept) chat.mirror.note({ id: parent.id, store, mode: 'write' });
    return summary && { summary, parent: (await store.session(parent.id)) ?? parent };
  } catch (error) {
    if (begun) screen.end('✗');
    if (!isThroughlineError(error)) throw error;
    screen.warn(error.message);
    return undefined;
  }
}
