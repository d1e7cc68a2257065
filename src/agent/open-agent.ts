import type { ChosenModel } from '../models/index.ts';
import { type Recovery, recoverTurn, stopBackground } from '../run/index.ts';
import type { Session } from '../session/index.ts';
import { openKnowledge } from './knowledge.ts';
import { chooseFor } from './prepare-turn.ts';
import { createTurns, type Turns, type TurnsOptions } from './turns.ts';

export interface OpenAgentOptions extends Omit<TurnsOptions, 'knowledge' | 'onChosen'> {
  /** The folder that a person works in: see `KnowledgeOptions`. By default the folder of the session's project. */
  readonly folder?: string | undefined;
  /** Shared by several agents: the search index and the files that were read. It stays open. */
  readonly knowledge?: TurnsOptions['knowledge'];
}

/** A session with everything that its turns need: instructions, memory, recall, compaction, tools and recovery. */
export interface OpenAgent extends Turns, AsyncDisposable {
  /** The model that answers, as of the newest turn, and why that one. */
  readonly model: ChosenModel;
  /** What a crash or a stop left: a question without a whole answer, messages that wait. */
  readonly left: Recovery;
  /** Ends what runs in the background and gives the index back. The session stays open. */
  close(): Promise<void>;
}

/**
 * Opens an agent on a session. What an earlier process left open is closed first; nothing is run, and no model is asked,
 * until a message is sent. On a session that is not open to write only `context` and `prepare` work.
 */
export async function openAgent(session: Session, options: OpenAgentOptions = {}): Promise<OpenAgent> {
  const { folder, knowledge: given, ...choices } = options;
  const knowledge = given ?? openKnowledge(session.store, { folder });
  const first = await chooseFor(session.info, choices);
  let { chosen } = first;
  const tools = { ...first.agent?.tools, ...choices.tools };
  const left = session.mode === 'write' ? await recoverTurn(session, { tools }) : NOTHING;
  const onChosen = (model: ChosenModel) => {
    chosen = model;
  };

  async function close(): Promise<void> {
    await stopBackground(session);
    if (!given) await knowledge[Symbol.asyncDispose]();
  }

  return {
    ...createTurns(session, { ...choices, knowledge, onChosen }),
    left,
    get model() {
      return chosen;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const NOTHING: Recovery = { closed: [], waiting: [] };
