import { z } from 'zod';
import { isThroughlineError } from '../../../errors.ts';
import { checkAccess, checkParams } from '../../../operations/index.ts';
import type { RpcCall } from '../call.ts';
import type { WireError } from '../client/rpc-error.ts';
import { RPC, toWireError } from '../error-codes.ts';
import { METHODS, type Method, type MethodName } from '../methods/index.ts';
import { isTooDeep, type Lanes, MOST_IN_BATCH } from './lanes.ts';
import { startTimeLimit, type TimeLimit } from './time-limit.ts';

/**
 * Answers one text: a request, a notification, or a batch of them. `undefined` where nothing is to be answered. Never
 * throws: whatever goes wrong is an answer. `onWaiting`: from now on it only waits for a turn to end.
 */
export async function dispatch(
  text: string,
  call: RpcCall,
  lanes: Lanes,
  { onWaiting = () => {} }: { onWaiting?: () => void } = {},
): Promise<string | undefined> {
  const message = parse(text);
  if ('error' in message) return JSON.stringify({ jsonrpc: '2.0', id: null, error: message.error });
  const { value } = message;
  const limit = startTimeLimit(call.maxAnswerMs);
  if (!Array.isArray(value)) {
    const answer = await answerOne(value, call, { lanes, limit, onWaiting });
    return answer === undefined ? undefined : toText(answer, call);
  }
  if (value.length === 0 || value.length > MOST_IN_BATCH) {
    const error = invalid(`A batch has 1 to ${MOST_IN_BATCH} requests, and this has ${value.length}.`);
    return JSON.stringify({ jsonrpc: '2.0', id: null, error });
  }
  const answers: string[] = [];
  // One after the other: three messages in a batch keep their order.
  for (const each of value) {
    const answer = await answerOne(each, call, { lanes, limit, onWaiting });
    if (answer) answers.push(toText(answer, call));
  }
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`;
}

/** What keeps calls apart and within bounds. */
interface Bounds {
  readonly lanes: Lanes;
  readonly limit: TimeLimit;
  readonly onWaiting: () => void;
}

type Id = string | number | null;
type Answer = { readonly id: Id } & ({ readonly result: unknown } | { readonly error: WireError });

async function answerOne(message: unknown, call: RpcCall, bounds: Bounds): Promise<Answer | undefined> {
  const request = readRequest(message);
  if ('error' in request) return { id: idIn(message), error: request.error };
  const { id, name, params } = request;
  try {
    const result = await carryOut(name, params, { call, ...bounds });
    return id === undefined ? undefined : { id, result };
  } catch (error) {
    if (!isThroughlineError(error)) call.onError(error);
    return id === undefined ? undefined : { id, error: toWireError(error) };
  }
}

async function carryOut(
  name: MethodName,
  params: unknown,
  { call, lanes, limit, onWaiting }: Bounds & { call: RpcCall },
): Promise<unknown> {
  const method = METHODS[name] as unknown as Method;
  checkAccess(method, call);
  const checked = checkParams(method.params, params, { taker: 'method' });
  const begin = (start: () => void) =>
    lanes.run(name, checked, async (handedOver) => {
      start();
      return method.run(checked, call, {
        handedOver(options) {
          handedOver(options);
          if (options?.isWaiting) onWaiting();
        },
        streamTurn: call.line?.watches.streamTurn,
        signal: call.line?.connection.signal,
        closing: call.stopping,
      });
    });
  const result = await limit.run(name, begin, call.onError);
  if (call.checkResults) method.result.parse(JSON.parse(JSON.stringify(result)));
  return result;
}

function readRequest(
  message: unknown,
): { id: Id | undefined; name: MethodName; params: unknown } | { error: WireError } {
  const shape = Shape.safeParse(message);
  if (!shape.success)
    return { error: invalid(`Not a JSON-RPC 2.0 request: ${z.prettifyError(shape.error)}`) };
  const { id, method, params = {} } = shape.data;
  if (!Object.hasOwn(METHODS, method)) {
    const text = `No method "${method.slice(0, 100)}". "rpc.discover" lists them.`;
    return { error: { code: RPC.methodNotFound, message: text, data: { code: 'usage' } } };
  }
  if (Array.isArray(params)) {
    const text = 'Parameters are given by name, in an object.';
    return { error: { code: RPC.invalidParams, message: text, data: { code: 'usage' } } };
  }
  return { id, name: method as MethodName, params };
}

/** Parameters are checked by the method's schema, and not copied before. */
const Shape = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(1000), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.custom<object>((value) => typeof value === 'object' && value !== null, 'is no object').optional(),
});

function idIn(message: unknown): Id {
  const id = (message as { id?: unknown } | null)?.id;
  return typeof id === 'number' || (typeof id === 'string' && id.length <= 1000) ? id : null;
}

function parse(text: string): { value: unknown } | { error: WireError } {
  if (isTooDeep(text)) return { error: invalid('The request is nested too deep.') };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const message = `Not JSON: ${(error as Error).message}`;
    return { error: { code: RPC.parseError, message, data: { code: 'usage' } } };
  }
}

function invalid(message: string): WireError {
  return { code: RPC.invalidRequest, message, data: { code: 'usage' } };
}

/** An answer that cannot be put into JSON is one more thing that can go wrong. */
function toText(answer: Answer, { onError }: RpcCall): string {
  try {
    return JSON.stringify({ jsonrpc: '2.0', ...answer });
  } catch (error) {
    onError(error);
    return JSON.stringify({ jsonrpc: '2.0', id: answer.id, error: toWireError(error) });
  }
}
