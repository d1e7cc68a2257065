import { ThroughlineError } from '../../errors.ts';
import { AGENT_SDK } from '../../models/index.ts';
import { refused } from '../refused.ts';
import type { TurnApp } from '../turn-app.ts';

/** One prompt for the agent SDK. The SDK keeps the conversation, under its id. */
export interface SdkRequest {
  readonly prompt: string;
  /** The SDK session to continue. */
  readonly resume?: string;
  /** With `resume`: continue a copy under a new id, and leave the session itself as it is. */
  readonly forkSession?: boolean;
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly cwd?: string;
  readonly signal: AbortSignal;
}

/** A message of the SDK: the fields that are read here. */
export interface SdkMessage {
  readonly type: string;
  readonly session_id?: string;
  readonly subtype?: string;
  readonly is_error?: boolean;
  readonly result?: string;
  readonly errors?: readonly string[];
  readonly event?: {
    readonly type?: string;
    readonly delta?: { readonly type?: string; readonly text?: string; readonly thinking?: string };
  };
  readonly message?: { readonly content?: unknown };
  readonly usage?: {
    readonly input_tokens?: number;
    readonly output_tokens?: number;
    readonly cache_read_input_tokens?: number;
    readonly cache_creation_input_tokens?: number;
  };
}

export interface AgentSdk {
  query(request: SdkRequest): AsyncIterable<SdkMessage>;
}

const PACKAGE = '@anthropic-ai/claude-agent-sdk';

interface SdkModule {
  query(asked: { prompt: string; options: Record<string, unknown> }): AsyncIterable<SdkMessage>;
}

/** The package, if it is installed. It is no dependency: it brings a program. */
const installedAgentSdk: AgentSdk = {
  async *query({ prompt, signal, ...options }) {
    const { query } = await loadPackage();
    const abortController = new AbortController();
    signal.addEventListener('abort', () => abortController.abort(), { once: true });
    yield* query({ prompt, options: { ...options, abortController, includePartialMessages: true } });
  },
};

/** True where a session of the SDK can go on in it. Where it cannot, the default model answers, and the problem is named. */
export function canRunAgentSdk({ agents, agentSdk }: Pick<TurnApp, 'agents' | 'agentSdk'>): boolean {
  return agentSdk !== undefined || (agents && isInstalled());
}

function isInstalled(): boolean {
  try {
    import.meta.resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

/** Refuses with the code that a turn would fail with, so that no message is stored that cannot be answered. */
export async function requireAgentSdk({
  agents,
  agentSdk,
}: Pick<TurnApp, 'agents' | 'agentSdk'>): Promise<AgentSdk> {
  if (agentSdk) return agentSdk;
  // The package runs a program with its tools, as an agent module does.
  if (!agents)
    throw refused(
      'access-denied',
      'This server runs no agents, and the agent SDK is one. Choose another provider.',
      { provider: AGENT_SDK },
    );
  await loadPackage();
  return installedAgentSdk;
}

async function loadPackage(): Promise<SdkModule> {
  const name: string = PACKAGE;
  try {
    return (await import(name)) as SdkModule;
  } catch (cause) {
    throw new ThroughlineError(
      'model-not-configured',
      `Sessions of the agent SDK need the package ${PACKAGE} beside Throughline: "npm install ${PACKAGE}". Or choose another provider.`,
      { cause, details: { provider: AGENT_SDK } },
    );
  }
}
