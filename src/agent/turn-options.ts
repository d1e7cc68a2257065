import type { Summariser } from '../compaction/index.ts';
import type { Budget, HeadPiece, Recalled } from '../context/index.ts';
import type { ModelChoice, OpenModelOptions, Quote } from '../models/index.ts';
import type { CompactionSettings, JsonObject, PresetName, SessionInfo } from '../record/index.ts';
import type { Agent } from './definition/agent.ts';
import type { AgentTool, Approve } from './tools/agent-tool.ts';
import type { TurnEvent } from './turn-event.ts';

export interface TurnOptions {
  /**
   * Without one: the agent's, then the one the session remembers, then what the environment asks for. One that is asked for
   * here and cannot be used is an error; in the place of one that is only remembered the next in line answers.
   */
  readonly model?: ModelChoice;
  readonly tools?: Readonly<Record<string, AgentTool>>;
  /** Names of tools that the turn can do without: they are left out for a model that refuses tools. */
  readonly optionalTools?: readonly string[];
  /** More tools, for a session in which something is compacted during the turn: offered from that request on, with `tools`. */
  readonly toolsOnceCompacted?: () => Promise<Readonly<Record<string, AgentTool>>>;
  /** Its instructions stand first in the head; its tools are offered with `tools`, which win. */
  readonly agent?: Agent;
  /** Why the agent module that the session remembers is left out: the event `agent-left-out` says it. */
  readonly agentProblem?: string;
  /** Called when a turn that had to wait begins: it runs with these options, as the session may have changed since. */
  readonly refresh?: () => Promise<TurnOptions>;
  /** Stops the turn. The answer so far is kept as `interrupted`; nothing is thrown. */
  readonly signal?: AbortSignal;
  /**
   * The process is about to end. The running turn is left as it stands, to be gone on with by the next process, and an
   * input that waits for its turn stays in the queue: for that input the call fails with `cancelled`.
   */
  readonly shutdown?: AbortSignal;
  /** Called as things happen. What it throws is dropped. */
  readonly onEvent?: (event: TurnEvent) => void;
  /** Asked before a tool that needs approval. Without it a tool that needs approval is not run. */
  readonly approve?: Approve;

  /** Stands in the head behind the agent's instructions: project, memory. Keep it the same from turn to turn. */
  readonly head?: readonly HeadPiece[];
  /** Finds compacted messages for this question. If it fails the turn goes on without. */
  readonly recall?: (question: string, info: SessionInfo) => Promise<readonly Recalled[]>;
  /** Passages about a question beyond this session, for the offline model. If it fails, nothing is. */
  readonly knowledge?: (question: string, info: SessionInfo) => Promise<readonly Quote[]>;
  /** Limits that beat the model's own. */
  readonly budget?: Partial<
    Pick<Budget, 'window' | 'outputLimit' | 'reserve' | 'maxBytes' | 'maxImages' | 'recallTokens'>
  >;
  /** Counts the tokens of a text as the model does: no request is over its budget by this count. An estimate unless given. */
  readonly countTokens?: (text: string) => number;
  /**
   * `false` for never automatically. By default the session's policy, summarised by the model that answers, or by the digest.
   */
  readonly compaction?: false | CompactionChoice;

  /** The most answers before the turn stops at its limit. Default 50. */
  readonly maxSteps?: number;
  readonly retry?: RetryChoice;
  /** So long may nothing come from the model, before the answer and in the middle of it. Default five minutes. */
  readonly timeoutMs?: number;
  /** Handed on to the provider with every request. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
  readonly temperature?: number;
  /** Where keys and addresses come from when a model has to be opened. */
  readonly openModel?: OpenModelOptions;
}

export interface CompactionChoice {
  /** For this turn, instead of the session's policy. */
  readonly settings?: PresetName | CompactionSettings;
  /** For a session without a policy. Default `balanced`. */
  readonly fallback?: PresetName | 'off';
  /** Another model than the one that answers, a cheaper one for instance, as `provider:model`. `digest`: never a model. */
  readonly summariser?: Summariser | 'digest' | (string & {});
  readonly spendPerHour?: number;
  /** In a session that does not say: a draft is written instead, and waits until a person approves it. */
  readonly askFirst?: boolean;
}

export interface RetryChoice {
  /** How often a busy or failing provider is asked again. Default 3. */
  readonly times?: number;
  /** The first wait when the provider names none; each further one is twice as long. Default one second. */
  readonly firstMs?: number;
  /** A provider that asks for a longer wait than this is not waited for. Default one minute. */
  readonly mostMs?: number;
}
