import { ThroughlineError } from '../../errors.ts';

/** One prompt for the agent SDK. It keeps the conversation itself, under an id of its own. */
export interface SdkRequest {
  readonly prompt: string;
  /** The SDK's own session to go on with. */
  readonly resume?: string;
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly cwd?: string;
  readonly signal: AbortSignal;
}

/** What it says meanwhile: as much of its messages as is looked at. */
export interface SdkMessage {
  readonly type: string;
  readonly session_id?: string;
  readonly subtype?: string;
  readonly is_error?: boolean;
  readonly result?: string;
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

/** The package, if whoever runs the server has installed it. It is no dependency: it brings a program of its own. */
export const installedAgentSdk: AgentSdk = {
  async *query({ prompt, signal, ...options }) {
    const name: string = PACKAGE;
    const module = (await import(name).catch((cause: unknown) => {
      throw new ThroughlineError(
        'model-not-configured',
        `Sessions of the agent SDK need the package ${PACKAGE} beside Throughline: "npm install ${PACKAGE}". Or choose another provider.`,
        { cause, details: { provider: 'agent-sdk' } },
      );
    })) as SdkModule;
    const abortController = new AbortController();
    signal.addEventListener('abort', () => abortController.abort(), { once: true });
    yield* module.query({ prompt, options: { ...options, abortController, includePartialMessages: true } });
  },
};
