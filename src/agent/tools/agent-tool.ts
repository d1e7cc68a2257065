import type { InferSchema } from 'ai';
import type { Session } from '../../session/index.ts';

/** The context of a tool call besides its input. The first four are what the AI SDK tells a tool. */
export interface ToolRun {
  readonly toolCallId: string;
  /** Always empty: what the model saw can be built from the session at any time. */
  readonly messages: [];
  /** Aborts when the turn is stopped. */
  readonly abortSignal: AbortSignal;
  readonly context: Record<string, unknown>;
  readonly session: Session;
}

/**
 * Something the model may call. A tool of the AI SDK is one; the addition here is `repeatable`. Anything that `execute` throws
 * is given to the model as an error.
 */
export interface AgentTool {
  readonly description?: unknown;
  /** A zod schema, any schema that the AI SDK takes, or plain JSON schema. */
  readonly inputSchema: unknown;
  /** Gets the input with the defaults of a zod schema. May give a stream of interim results; the last one counts. */
  execute?(input: unknown, run: ToolRun): unknown;
  /**
   * Running it twice does no more than running it once. Only a repeatable tool is run again when a crash leaves open whether it
   * ran, and several of them in a row run at the same time.
   */
  readonly repeatable?: boolean;
  /**
   * `true`, `'every-time'`, or a function of the input that says so. With `true`, a person may allow the tool for the
   * session or for good, and is not asked again; with `'every-time'` each call is asked about. Any other value than
   * `false` counts as `'every-time'`: a slip of the pen must not let a tool run unasked.
   */
  readonly needsApproval?:
    | NeedsApproval
    | ((input: never, call: never) => NeedsApproval | PromiseLike<NeedsApproval>);
  /** How the output is given to the model, if not as text or JSON. */
  toModelOutput?(options: { toolCallId: string; input: never; output: never }): unknown;
  /** `provider`: defined, and perhaps run, by the provider. */
  readonly type?: string | undefined;
}

/** The input that a schema lets through, with its defaults. Plain JSON schema types nothing. */
export type InputOf<Schema> = [InferSchema<Schema>] extends [never] ? unknown : InferSchema<Schema>;

/** A tool with the type of its input inferred from its schema. Nothing is changed: a plain object does as well. */
export function defineTool<Schema>(
  tool: Omit<AgentTool, 'inputSchema' | 'execute'> & {
    readonly inputSchema: Schema;
    execute?(input: InputOf<Schema>, run: ToolRun): unknown;
  },
): AgentTool {
  return tool as AgentTool;
}

type NeedsApproval = boolean | 'every-time' | undefined;

/** How long a yes holds: for this call, for this tool in this session, or for this tool of this agent everywhere. */
export const APPROVAL_SCOPES = ['once', 'session', 'always'] as const;
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number];

export interface ApprovalRequest {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** What may be answered. Only `once` for tools that come from no agent module, or that ask every time. */
  readonly scopes: readonly ApprovalScope[];
}

/** Says whether a tool may run. Never asked again for the same call, unless the process died in between. */
export type Approve = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Approval | Promise<Approval>;
export type Approval =
  | boolean
  | {
      readonly approved: boolean;
      readonly reason?: string;
      /** Of a yes; `once` unless given. One that was not offered counts as `once`. */
      readonly scope?: ApprovalScope;
      /** Who answered, for the record. */
      readonly by?: string;
    };
