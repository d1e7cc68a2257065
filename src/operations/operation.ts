import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { SessionId } from '../record/index.ts';
import type { App, Machine } from './app.ts';
import { checkParams } from './check-params.ts';
import { refused } from './refused.ts';

/** One verb of the product: parameters and result as schemas, and the run. Faces parse, render and transport. */
export interface Operation<
  Name extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Result extends z.ZodType = z.ZodType,
  Needs extends Machine = App,
> {
  /** The name of the RPC method where RPC offers it; any other is in the same style. */
  readonly name: Name;
  /** One or two sentences for the docs. */
  readonly summary: string;
  readonly params: Params;
  readonly result: Result;
  /** True for an operation that changes something: a token that may only read is refused. */
  readonly writes?: true;
  /** Errors that the run ends with, beside those that follow from the parameters. */
  readonly fails?: readonly ErrorCode[];
  readonly faces: Faces<z.output<Result>>;
  run(params: z.output<Params>, app: Needs, request: Request): Promise<z.output<Result>> | z.output<Result>;
}

/** The result of an operation, for the code that renders it. */
export type OperationResult<Verb extends Pick<Operation, 'result'>> = z.output<Verb['result']>;

/** Where an operation is offered. Operations on files of the machine are not offered over RPC. */
interface Faces<Result = unknown> {
  readonly rpc?: true;
  /** Each command that runs it, with its `--json`. */
  readonly cli?: { readonly [command: string]: Printed<Result> };
  /** Commands in the words of their help, which begins so; the summary where a command is not named. */
  readonly help?: { readonly [command: string]: string };
  /** Each command of the chat that runs it; `message` for a line that is none, `start` for its start. */
  readonly chat?: readonly string[];
  /** Each MCP tool that runs it. The description of the tool begins with the summary. */
  readonly mcp?: readonly string[];
}

/** The `--json` of a command: the result to the letter, or another form that was promised before. */
type Printed<Result = unknown> = 'result' | Projection<Result> | Lines;

/** A command that goes on prints one of these on a line, as they come. */
interface Lines {
  readonly lines: z.ZodType;
}

export interface Projection<Result = unknown> {
  readonly schema: z.ZodType;
  /** The command runs the operation once for each of its arguments, and prints an array of these. */
  readonly each?: true;
  of(result: Result): unknown;
}

/** The call around a run. */
export interface Request {
  /**
   * Called when the store has been asked to write: the next request of the session may begin. `isWaiting`: the rest of
   * the run only waits for a turn.
   */
  readonly handedOver?: (options?: { readonly isWaiting?: boolean }) => void;
  /** Sends the events of a turn to the caller, until the turn is over or the function it returns is called. */
  readonly streamTurn?: ((session: SessionId, turn: string) => () => void) | undefined;
  /** Aborts when the caller is gone. */
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the server stops, once its turns have: what only waits for a turn ends with what there is. */
  readonly closing?: AbortSignal | undefined;
  /** Aborts when the person stops the run. */
  readonly stop?: AbortSignal | undefined;
  /** Called while a long run goes on. `part` is the name of the part that it has come to, where it has several. */
  readonly onProgress?: (progress: {
    readonly part?: string;
    readonly done: number;
    readonly total: number;
  }) => void;
  /** How long a model may take for an answer; as long as the app lets it unless given. */
  readonly modelTimeoutMs?: number | undefined;
  /** The words of an error that a result lists beside successes; the message of the error unless given. */
  readonly sayError?: (error: unknown) => string;
}

/** Reports the progress of one part of a run under its name. */
export function partOf({ onProgress }: Request, part: string): Required<Pick<Request, 'onProgress'>> {
  return { onProgress: (progress) => onProgress?.({ ...progress, part }) };
}

/** Keeps the types of the schemas with the operation, and whether RPC offers it. */
export function operation<
  const Name extends string,
  Params extends z.ZodObject,
  Result extends z.ZodType,
  Needs extends Machine = App,
  Rpc extends true | undefined = undefined,
>(
  described: Operation<Name, Params, Result, Needs> & { readonly faces: { readonly rpc?: Rpc } },
): Operation<Name, Params, Result, Needs> & { readonly faces: { readonly rpc?: Rpc } } {
  return described;
}

/** Runs an operation for a face that has the parameters as a caller gives them. */
export async function perform<Params extends z.ZodObject, Result extends z.ZodType, Needs extends Machine>(
  verb: Operation<string, Params, Result, Needs>,
  params: z.input<Params>,
  app: Needs,
  request: Request = {},
): Promise<z.output<Result>> {
  checkAccess(verb, app);
  return verb.run(checkParams(verb.params, params), app, request);
}

/** Refuses an operation that writes to a caller that may only read. */
export function checkAccess(
  { name, writes }: Pick<Operation, 'name' | 'writes'>,
  { access }: Pick<Machine, 'access'>,
): void {
  if (writes && !access.mayWrite)
    throw refused('access-denied', `Your token may only read, and ${name} changes something.`);
}

/** The `--json` of a command for one result. */
export function printedBy<Result extends z.ZodType>(
  { name, faces }: Operation<string, z.ZodObject, Result, App>,
  command: string,
  result: z.output<Result>,
): unknown {
  const printed = faces.cli?.[command];
  if (printed === undefined || (printed !== 'result' && 'lines' in printed))
    throw new Error(`bug: ${name} does not say what "${command}" prints`);
  return printed === 'result' ? result : printed.of(result);
}
