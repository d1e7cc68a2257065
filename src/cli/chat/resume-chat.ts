import { existsSync } from 'node:fs';
import { isThroughlineError } from '../../errors.ts';
import type { OpenedModel } from '../../models/index.ts';
import { type SessionInfo, type Summary, titleOf } from '../../record/index.ts';
import { readClosingSummary, resumeSession } from '../../session/index.ts';
import { sayCount, sayTime } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { acknowledge } from './acknowledge.ts';
import { type Chat, nameOf, stoppable } from './chat.ts';
import { chooseAgent } from './choose-agent.ts';
import { chooseModel } from './choose-model.ts';
import { OWNER } from './choose-session.ts';
import { draftClosingSummary } from './closing-summary.ts';
import { projectLabel } from './find-place.ts';
import type { LoadedTranscript } from './load-transcript.ts';
import { mirrorFile } from './mirror-file.ts';
import { writeMirror } from './write-mirror.ts';

/**
 * Starts a new session from what an older one came to, and from nothing before that. The agent reads the summary and
 * says so; that is counted, but it is no query. Gives back whether it could be done.
 */
export async function resumeInto(
  chat: Chat,
  { parent, summary, trouble }: LoadedTranscript,
): Promise<boolean> {
  const { screen, options } = chat;
  const { queries, tokens } = parent.totals;
  const title = visibleLine(titleOf(parent.state)) || '(untitled)';
  const facts = `${sayCount(queries, 'query', 'queries')}, ${sayCount(tokens, 'token')}`;
  screen.say(`✓ Found: ${title} - ${sayTime(parent.updatedAt)} (${facts})`);
  const agent = await chooseAgent(chat, parent.state.settings);
  if (agent === 'no') return false;
  const { model, because, problem } = await chooseModel({ asked: options.model, agent, info: parent });
  if (problem !== undefined) screen.warn(problem);
  if (trouble) screen.warn(`The file can't be resumed from its own words (${trouble}).`);
  const known = summary ?? (await summaryOf(chat, parent, model));
  if (!known) {
    screen.warn(`Session can't be resumed (no summary, and nothing was said in it), starting fresh`);
    return false;
  }
  // From here on nothing is in the way: until then the chat stays with what it has.
  if (model.id !== chat.model.id) screen.say(`Model: ${model.id} (${because})`);
  chat.agent = agent;
  chat.model = model;
  await startFrom(chat, parent, known);
  return true;
}

/** The restoration itself: acknowledged first, then written with the new session, so that neither is there alone. */
export async function startFrom(chat: Chat, parent: SessionInfo, summary: Summary): Promise<void> {
  const { screen, place, agent, model, options } = chat;
  screen.say('🔄 Restoring context...');
  const file = mirrorFile(place.location, parent.id);
  const { acknowledgement, problem } = await stoppable(chat, (signal) =>
    acknowledge(parent, summary, { model, agent, signal, file }),
  );
  const { project, agentPath } = parent.state.settings;
  const settings = {
    ...(project === undefined && { project: await projectLabel(place) }),
    // Where the parent was imported from, and what waited in it, is the parent's.
    source: null,
    waiting: null,
    ...(agentPath !== undefined && { agentPath: null }),
    ...(agent && { agentPath: agent.path }),
    ...(options.model !== undefined && { model: options.model }),
  };
  chat.session = await resumeSession(place.store, parent, {
    summary,
    ...(acknowledgement && { acknowledgement }),
    birth: { ...(agent && { agent: agent.name }), settings },
    owner: OWNER,
  });
  chat.startedHead = chat.session.info.head;
  chat.warned = 0;
  chat.load = undefined;
  if (!existsSync(file)) await writeMirror(place.store, parent, place).catch(() => {});
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

/** What the session came to: as it was left, or made now from what was said. */
async function summaryOf(chat: Chat, parent: SessionInfo, model: OpenedModel): Promise<Summary | undefined> {
  const { place, screen } = chat;
  const left = await readClosingSummary(place.store, parent);
  if (left) return left;
  screen.begin('📝 It was left without a summary; making one... ');
  try {
    const draft = await stoppable(chat, (signal) =>
      draftClosingSummary(place.store, parent, { model, signal }),
    );
    screen.end(draft ? '✓' : '✗');
    const [failure] = draft?.failures ?? [];
    if (failure) screen.warn(`Summary generation failed (${failure.reason}); the digest did it.`);
    return draft?.summary;
  } catch (error) {
    screen.end('✗');
    if (!isThroughlineError(error)) throw error;
    screen.warn(error.message);
    return undefined;
  }
}
