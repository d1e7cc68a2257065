import { existsSync } from 'node:fs';
import { chooseAnswering, rememberedReference } from '../../models/index.ts';
import { titleOf } from '../../record/index.ts';
import { mirrorFile, resumeSession } from '../../session/index.ts';
import { sayTime } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { acknowledge } from './acknowledge.ts';
import { type Chat, nameOf, stoppable } from './chat.ts';
import { chooseAgent } from './choose-agent.ts';
import { OWNER } from './choose-session.ts';
import { projectLabel } from './find-place.ts';
import { type FoundSummary, findSummary } from './find-summary.ts';
import type { LoadedTranscript } from './load-transcript.ts';
import { sayModel } from './say-model.ts';
import { countSession, sayCounts } from './session-counts.ts';

/**
 * Starts a new session from what an older one came to, and from nothing before that. The agent reads the summary and
 * says so; that is counted, but it is no query. Gives back whether it could be done.
 */
export async function resumeInto(chat: Chat, found: LoadedTranscript): Promise<boolean> {
  const { screen, options, place } = chat;
  const { parent } = found;
  const title = visibleLine(titleOf(parent.state)) || '(untitled)';
  const counts = sayCounts(await countSession(place.store, parent));
  screen.say(`✓ Found: ${title} - ${sayTime(parent.updatedAt)} (${counts})`);
  const agent = await chooseAgent(chat, parent.state.settings);
  if (agent === 'no') {
    screen.say('Not resumed: it stays with its agent.');
    return false;
  }
  const model = await chooseAnswering(parent.state, {
    asked: options.model,
    agent: agent?.model,
    current: chat.model,
  });
  const known = await findSummary(chat, found, chat.writer ?? model.opened);
  if (!known) {
    screen.warn(`Session can't be resumed (no summary, and nothing was said in it), starting fresh`);
    return false;
  }
  // From here on nothing is in the way: until then the chat stays with what it has.
  if (model.id !== chat.model.id) sayModel(screen, model);
  else if (model.problem !== undefined) screen.warn(model.problem);
  chat.agent = agent;
  chat.model = model;
  await startFrom(chat, known);
  return true;
}

/** The restoration itself: acknowledged first, then written with the new session, so that neither is there alone. */
export async function startFrom(chat: Chat, { parent, summary }: FoundSummary): Promise<void> {
  const { screen, place, agent, model, options } = chat;
  screen.say('🔄 Restoring context...');
  const file = mirrorFile(place.location, parent.id);
  const counts = await countSession(place.store, parent);
  const { acknowledgement, problem } = await stoppable(chat, (signal) =>
    acknowledge({ parent, summary, counts, file }, { model: model.opened, agent, signal }),
  );
  const { project, agentPath } = parent.state.settings;
  const isNameless = rememberedReference(parent.state.settings) === undefined;
  const settings = {
    ...(project === undefined && { project: await projectLabel(place) }),
    // Where the parent was imported from, and what waited in it, is the parent's.
    source: null,
    waiting: null,
    ...(agentPath !== undefined && { agentPath: null }),
    ...(agent && { agentPath: agent.path }),
    ...(options.model !== undefined && { model: options.model }),
    // A model that the session before remembered is kept in one that names none.
    ...(model.because === 'session' && isNameless && { model: model.id }),
  };
  chat.session = await resumeSession(place.store, parent, {
    summary,
    counts,
    ...(acknowledgement && { acknowledgement }),
    birth: { ...(agent && { agent: agent.name }), settings },
    owner: OWNER,
  });
  chat.startedHead = chat.session.info.head;
  chat.warned = 0;
  chat.load = undefined;
  if (!existsSync(file)) {
    const { writeMirror } = await import('../../transcripts/index.ts');
    await writeMirror(place.store, parent, place).catch(() => {});
  }
  chat.mirror.note(chat.session);
  if (problem !== undefined)
    screen.warn(`The agent did not acknowledge: ${problem} The summary is there all the same.`);
  const said =
    acknowledgement?.parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('') ?? '';
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
