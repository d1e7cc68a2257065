import { chooseFor } from '../../agent/index.ts';
import { answering } from '../../models/index.ts';
import { resumeFromSummary } from '../../operations/ai/index.ts';
import { perform } from '../../operations/index.ts';
import { countSession, sayCounts } from '../../run/index.ts';
import { openSession, titleInChain } from '../../session/index.ts';
import { sayTitle } from '../../text/index.ts';
import { sayTime } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { type Chat, nameOf, stoppable } from './chat.ts';
import { appOf } from './chat-app.ts';
import { chooseAgent } from './choose-agent.ts';
import { OWNER } from './choose-session.ts';
import { type FoundSummary, findSummary } from './find-summary.ts';
import type { LoadedTranscript } from './load-transcript.ts';
import { takeModel } from './say-model.ts';

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
  const agent = found.chosen ? found.chosen.agent : await chooseAgent(chat, parent.state.settings);
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
  const { id, acknowledgement, problem } = await stoppable(chat, (stop) =>
    perform(resumeFromSummary, asked, app, { stop }),
  );
  chat.session = await openSession(place.store, id, { owner: OWNER });
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
    const view = screen.answer(nameOf(chat));
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
