import type { Knowledge, LoadedAgent, OpenAgent, Spending, TurnEvent } from '../../../agent/index.ts';
import type { AnsweringModel, OpenedModel } from '../../../models/index.ts';
import type { Project } from '../../../project/index.ts';
import type { SessionId } from '../../../record/index.ts';
import type { Session } from '../../../session/index.ts';
import type { Store } from '../../../store/index.ts';
import type { CompactionOptions } from '../standing-compaction.ts';
import { usageError } from '../usage-error.ts';
import type { MirrorKeeper } from './load-transcript.ts';
import type { Screen } from './screen.ts';
import type { TurnView } from './show-turn.ts';

/** What a chat was started with. */
export interface ChatOptions extends CompactionOptions {
  readonly new?: boolean;
  /** The last session of the project, or the one named. */
  readonly continue?: string | true;
  readonly resume?: string;
  /** In a fork of the session. */
  readonly fork?: boolean;
  /** Looking only. */
  readonly readOnly?: boolean;
  /** Although another program is writing in it. */
  readonly takeOver?: boolean;
  readonly agent?: string;
  readonly model?: string;
  /** The preset was named on the command line. */
  readonly presetAsked?: boolean;
  readonly window?: number;
  /** Tokens for recalled messages; 0 for none. */
  readonly recall?: number;
}

/** Where lines come from. */
export interface ChatInput extends Disposable {
  /** A person can be asked. */
  readonly interactive: boolean;
  /** The next line or paste; `undefined` once there are no more. */
  next(prompt: string): Promise<string | undefined>;
  /** The answer to a question; `undefined` where no person can be asked, or none comes. */
  ask(question: string): Promise<string | undefined>;
  /** Anything but a yes is a no; so is a question where no person can be asked. */
  confirm(question: string): Promise<boolean>;
  /** Called at Ctrl-C. */
  onInterrupt(listener: () => void): void;
  /** Sets the listener for lines that are typed while an answer is written. */
  onAhead(listener: AheadListener | undefined): void;
  /** Leaves the terminal to another program, an editor for instance, until the work is done. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Writes lines; with a prompt on the screen, above it and the typed line. */
  above(write: () => void): void;
  /** Nothing more comes: a `next` that waits gives `undefined`. */
  end(): void;
}

/** Hears lines that are typed while an answer is being written. */
export interface AheadListener {
  /** A line; if it is taken, `next` does not give it any more. */
  line(line: string): boolean;
  /** Typing begins and is shown; or the line is done, or taken back. */
  typing(isTyping: boolean): void;
}

/** Where a chat takes place: the same for all its sessions. */
export interface ChatPlace {
  readonly store: Store;
  /** The file of the store. */
  readonly location: string;
  readonly folder: string;
  readonly project: Project;
}

/** A chat that is going on. `session` changes when it is resumed, forked or compacted into another. */
export interface Chat {
  readonly place: ChatPlace;
  readonly options: ChatOptions;
  readonly screen: Screen;
  readonly input: ChatInput;
  /** Absent until something is said: opening a chat and leaving it writes nothing. */
  session: Session | undefined;
  agent: LoadedAgent | undefined;
  /** The newest warning about an agent module that is left out: given once. */
  agentProblem: string | undefined;
  /** As of the newest turn. */
  model: AnsweringModel;
  /** The id of the model that was shown last. */
  shownModel: string | undefined;
  readonly knowledge: Knowledge;
  /** The agent that runs the turns of a session, from its first turn on: see `agentOf`. */
  open: OpenAgent | undefined;
  /** The model that writes summaries, if one is named for that. */
  readonly writer: OpenedModel | undefined;
  /** Which of the warnings about a full context was given last, in percent. */
  warned: number;
  /** Tokens of the newest request, and of the room there was for it. */
  load:
    | Pick<Extract<TurnEvent, { type: 'request-start' }>, 'tokens' | 'window' | 'reserve' | 'parts'>
    | undefined;
  /** Where the log of the session stood when this chat opened it. */
  startedHead: number;
  /** Adds up what the session cost. */
  readonly spending: (session: Session) => Promise<Spending>;
  /** The turn that is shown as it runs. */
  showing: TurnView | undefined;
  /** The exit code of the first turn that failed. */
  failed: number | undefined;
  /** Aborts when the process is asked to end: the running turn and the queue are left to the next chat. */
  readonly shutdown: AbortController;
  /** The running work, which can be stopped: the first of them is the one that people see. */
  readonly stops: AbortController[];
  readonly mirror: MirrorKeeper;
  /** Sessions that were left and still wait for the disk. */
  readonly unsaved: Set<Session>;
  /** Sessions that have the agent and the preset of this chat: a change by another process is not undone. */
  readonly setUp: Set<SessionId>;
}

export function nameOfChat(chat: Pick<Chat, 'agent' | 'session'>): string {
  return chat.agent?.name ?? chat.session?.info.state.settings.agent ?? 'Assistant';
}

/** Whether the session can only be looked at. */
export function isReading({ session }: Pick<Chat, 'session'>): boolean {
  return session?.mode === 'read';
}

export const READING = 'The session is open read-only; "fork" goes on in one of your own.';

export function sessionOf({ session }: Pick<Chat, 'session'>): Session {
  if (session) return session;
  throw usageError('Nothing was said yet, so there is no session.');
}

/** The model that writes summaries, by its name; `undefined` for the digest. */
export function writerOf(
  { writer, model }: Pick<Chat, 'writer' | 'model'>,
  answering: OpenedModel = model.opened,
): string | undefined {
  const { provider, id } = writer ?? answering;
  return provider === 'offline' ? undefined : id;
}

/** Does something that Ctrl-C stops. */
export async function stoppableChat<T>(
  { stops }: Pick<Chat, 'stops'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  stops.push(stop);
  try {
    return await work(stop.signal);
  } finally {
    stops.splice(stops.indexOf(stop), 1);
  }
}
