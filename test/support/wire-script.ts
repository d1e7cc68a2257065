/**
 * What a wire server is told to do, in no provider's words: each dialect turns a turn or a fault into the bytes that
 * its provider would send.
 */

export interface WireUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Of them, those that are kept for an hour. */
  readonly cacheWriteLong?: number;
  readonly reasoning?: number;
}

export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface Turn {
  readonly text: string;
  readonly calls: readonly WireCall[];
  /** `compaction`: the provider made room and waits; only Anthropic ends an answer so. */
  readonly finish: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'compaction';
  /** A summary of what it was sent, before the answer. */
  readonly native?: {
    readonly text: string;
    readonly signature?: string;
    /** What each of the two calls used. */
    readonly summary?: WireUsage;
    readonly message?: WireUsage;
  };
  /** Tokens of old tool outputs that the provider left out. */
  readonly cleared?: number;
  /** All tokens of the call: `input` holds what was read from and written to a cache, `output` the reasoning. */
  readonly usage: WireUsage;
  /** What the model thought, with the proof that lets it be sent back. */
  readonly reasoning?: { readonly text: string; readonly signature: string };
}

export interface Fault {
  readonly kind:
    | 'unauthorized'
    | 'no-credit'
    | 'rate-limited'
    | 'server-error'
    | 'overloaded'
    | 'overflow'
    | 'unknown-model'
    | 'bad-request';
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  readonly tokens?: number;
  readonly limit?: number;
}

/** How far an answer gets, and what comes after: all of it, or half of it and then one of the accidents. */
export type Delivery =
  | 'whole'
  | 'cut'
  | 'end-early'
  | 'stall'
  | 'fail'
  | { readonly trickleMs: number }
  | { readonly until: Promise<unknown>; readonly then: 'whole' | 'cut' | 'fail' };

export type Step =
  | { readonly kind: 'turn'; readonly turn: Turn; readonly delivery: Delivery }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'held'; readonly until: Promise<unknown>; readonly step: Step }
  | { readonly kind: 'malformed' };
export type TurnStep = Extract<Step, { kind: 'turn' }>;

const USAGE: WireUsage = { input: 12, output: 5 };

export function reply(text: string, fields: Partial<Omit<Turn, 'text'>> = {}): TurnStep {
  return {
    kind: 'turn',
    turn: { calls: [], finish: 'stop', usage: USAGE, ...fields, text },
    delivery: 'whole',
  };
}

/** An answer in the shape that a schema asked for. */
export function replyObject(value: unknown, fields: Partial<Omit<Turn, 'text'>> = {}): TurnStep {
  return reply(JSON.stringify(value), fields);
}

export function callTool(
  name: string,
  input: unknown,
  { id = `call_${name}`, text = '', ...fields }: Partial<Turn> & { id?: string } = {},
): TurnStep {
  return reply(text, { finish: 'tool-calls', ...fields, calls: [{ id, name, input }] });
}

const fault = (kind: Fault['kind'], fields: Omit<Fault, 'kind'> = {}): Step => ({
  kind: 'fault',
  fault: { kind, ...fields },
});

export const unauthorized = (fields: Pick<Fault, 'message'> = {}) => fault('unauthorized', fields);
export const noCredit = () => fault('no-credit');
export const rateLimited = (fields: Pick<Fault, 'retryAfterSeconds'> = {}) => fault('rate-limited', fields);
export const serverError = (fields: Pick<Fault, 'retryAfterSeconds'> = {}) => fault('server-error', fields);
export const overloaded = (fields: Pick<Fault, 'retryAfterSeconds'> = {}) => fault('overloaded', fields);
export const overflow = (fields: Pick<Fault, 'tokens' | 'limit'> = {}) =>
  fault('overflow', { tokens: 210_000, limit: 200_000, ...fields });
export const unknownModel = () => fault('unknown-model');
export const badRequest = (message: string) => fault('bad-request', { message });

/** Accepts the request and never answers. */
export const hang = (): Step => ({ kind: 'hang' });
/** Accepts the request and drops the connection before any answer. */
export const drop = (): Step => ({ kind: 'drop' });
/** Accepts the request, and answers it by the step once the promise resolves. */
export const held = (step: Step, until: Promise<unknown>): Step => ({ kind: 'held', until, step });
/** Says that all is well and sends what cannot be read. */
export const malformed = (): Step => ({ kind: 'malformed' });

/** Sends half of the answer and drops the connection. */
export const cut = (step: TurnStep): TurnStep => ({ ...step, delivery: 'cut' });
/** Sends half of the answer and closes the stream as if that were all. */
export const endEarly = (step: TurnStep): TurnStep => ({ ...step, delivery: 'end-early' });
/** Sends half of the answer and then nothing, with the connection open. */
export const stall = (step: TurnStep): TurnStep => ({ ...step, delivery: 'stall' });
/** Sends half of the answer, and the rest or an accident once the promise resolves. */
export const pause = (
  step: TurnStep,
  until: Promise<unknown>,
  then: 'whole' | 'cut' | 'fail' = 'whole',
): TurnStep => ({ ...step, delivery: { until, then } });
/** Sends half of the answer and then an error, in the provider's form for that; without a stream, just the error. */
export const fail = (step: TurnStep): TurnStep => ({ ...step, delivery: 'fail' });
/** Sends the whole answer, piece by piece. */
export const trickle = (step: TurnStep, everyMs = 2): TurnStep => ({
  ...step,
  delivery: { trickleMs: everyMs },
});
