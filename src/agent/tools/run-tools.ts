import { isThroughlineError } from '../../errors.ts';
import { type Entry, type NewEntry, newEntryId } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { MAYBE_RUN } from '../close-turn.ts';
import type { Agent } from '../definition/agent.ts';
import type { OpenCall } from '../read-turn.ts';
import type { ToolOutcome, TurnEvent } from '../turn-event.ts';
import { Stopped, stoppableTurn } from '../turn-queue.ts';
import type { AgentTool, Approve } from './agent-tool.ts';
import { askApproval } from './ask-approval.ts';
import type { OfferedTools } from './offer-tools.ts';

// Intent before effect, result after, same ids: the start note is on disk before a tool runs, and a call that was begun is
// never run again unless its tool says that this does no harm.

interface ToolWork {
  readonly session: Session;
  readonly tools: Readonly<Record<string, AgentTool>>;
  readonly offered: OfferedTools;
  readonly approve: Approve | undefined;
  readonly agent: Agent | undefined;
  readonly signal: AbortSignal;
  /** The process ends: a tool that may be repeated gets no result, so that the next process runs it. */
  readonly shutdown: AbortSignal | undefined;
  readonly emit: (event: TurnEvent) => void;
}

/** Runs the calls in order, and those that may be repeated together. Stops between two when the signal aborts. */
export async function runTools(calls: readonly OpenCall[], work: ToolWork): Promise<Entry[]> {
  const appended: Entry[] = [];
  for (const group of groupCalls(calls, work.tools)) {
    if (work.signal.aborted) break;
    appended.push(...(await runGroup(group, work)));
  }
  return appended;
}

function groupCalls(calls: readonly OpenCall[], tools: ToolWork['tools']): OpenCall[][] {
  const groups: OpenCall[][] = [];
  const isRepeatable = ({ toolName }: OpenCall) => tools[toolName]?.repeatable === true;
  for (const call of calls) {
    const group = groups.at(-1);
    if (group && isRepeatable(call) && isRepeatable(group[0]!)) group.push(call);
    else groups.push([call]);
  }
  return groups;
}

async function runGroup(calls: readonly OpenCall[], work: ToolWork): Promise<Entry[]> {
  const plans: Plan[] = [];
  for (const call of calls) plans.push(await planCall(call, work));
  // One that was begun before a crash and may be repeated is written down as begun already.
  const begun = plans.filter(({ run, call }) => run !== undefined && !call.started);
  const starts = begun.length > 0 ? await work.session.append(begun.map(startEntry)) : [];
  const all = await Promise.all(plans.map((plan) => endCall(plan, work)));
  const ended = all.filter((one) => one !== undefined);
  const results = await appendResults(ended, work);
  for (const [index, { plan, outcome }] of ended.entries()) {
    const { toolCallId, toolName } = plan.call;
    work.emit({ type: 'tool-end', toolCallId, toolName, outcome, entry: results[index]! });
  }
  return [...starts, ...results];
}

/** A tool may give back what cannot be written down. It has run all the same, so that is written. */
async function appendResults(ended: readonly Ended[], { session }: ToolWork): Promise<Entry[]> {
  try {
    return await session.append(ended.map(({ entry }) => entry));
  } catch (error) {
    if (!isThroughlineError(error, 'entry-invalid')) throw error;
    const output = errorOutput(`The tool ran, but its output cannot be kept. ${error.message}`);
    return session.append(ended.map(({ plan }) => resultEntry(plan, { outcome: 'failed', output })));
  }
}

/** The action for a call: run it, tell why not, or, with neither, leave it to the next process. */
interface Plan {
  readonly call: OpenCall;
  readonly result: string;
  readonly run?: () => unknown;
  readonly tool?: AgentTool;
  readonly refused?: { readonly outcome: ToolOutcome; readonly output: ToolOutput };
}

async function planCall(call: OpenCall, work: ToolWork): Promise<Plan> {
  const { toolCallId, toolName, input, started } = call;
  const tool = Object.hasOwn(work.tools, toolName) ? work.tools[toolName] : undefined;
  const result = started?.result ?? newEntryId();
  const refuse = (outcome: ToolOutcome, output: ToolOutput): Plan => ({
    call,
    result,
    refused: { outcome, output },
  });
  if (started && !tool?.repeatable) return refuse('interrupted', errorOutput(MAYBE_RUN));
  const wrong =
    invalidIn(call) ?? (tool?.execute ? await work.offered.check(toolName, input) : unknown(call, work));
  if (wrong !== undefined || !tool?.execute) return refuse('failed', errorOutput(wrong));
  try {
    const { approved, reason } = await askApproval(tool, call, work);
    const why = reason === undefined ? {} : { reason };
    if (!approved) return refuse('denied', { type: 'execution-denied', ...why });
  } catch (error) {
    if (error instanceof Stopped && work.shutdown?.aborted) return { call, result };
    if (error instanceof Stopped) return refuse('interrupted', errorOutput(STOPPED_UNASKED));
    return refuse('failed', errorOutput(error));
  }
  const { session, signal } = work;
  const run = { toolCallId, messages: [] as [], abortSignal: signal, context: {}, session };
  return { call, result, tool, run: () => tool.execute!(input, run) };
}

const STOPPED_UNASKED = 'Not run: the turn was stopped before this tool was started.';

function startEntry({ call, result, tool }: Plan): NewEntry {
  const { answer, toolCallId, toolName } = call;
  const again = tool?.repeatable && { repeatable: true as const };
  return {
    body: {
      kind: 'run',
      step: 'started',
      answer: answer.id,
      call: toolCallId,
      tool: toolName,
      ...again,
      result,
    },
  };
}

interface Ended {
  readonly plan: Plan;
  readonly outcome: ToolOutcome;
  readonly entry: NewEntry;
}

/** `undefined`: the process ends, and the call is left open for the next one. */
async function endCall(plan: Plan, { emit, signal, shutdown }: ToolWork): Promise<Ended | undefined> {
  const { call, run, tool, refused } = plan;
  const { toolCallId, toolName, input } = call;
  const start = performance.now();
  const end = (outcome: ToolOutcome, output: ToolOutput): Ended => {
    const durationMs = run && Math.round(performance.now() - start);
    return { plan, outcome, entry: resultEntry(plan, { outcome, output, durationMs }) };
  };
  if (refused) return end(refused.outcome, refused.output);
  if (!run || !tool) return undefined;
  const isLeft = () => shutdown?.aborted === true && tool.repeatable === true;
  emit({ type: 'tool-start', toolCallId, toolName, input });
  if (signal.aborted) return isLeft() ? undefined : end('interrupted', errorOutput(STOPPED_UNASKED));
  try {
    const tell = (interim: unknown) => emit({ type: 'tool-delta', toolCallId, toolName, output: interim });
    const output = await stoppableTurn(lastOf(run, tell), signal);
    return end('done', await toolOutput(tool, { toolCallId, input, output }));
  } catch (error) {
    if (error instanceof Stopped || signal.aborted)
      return isLeft() ? undefined : end('interrupted', errorOutput(STOPPED));
    return end('failed', errorOutput(error));
  }
}

function resultEntry(
  { call, result }: Plan,
  {
    outcome,
    output,
    durationMs,
  }: { outcome: ToolOutcome; output: ToolOutput; durationMs?: number | undefined },
): NewEntry {
  const { toolCallId, toolName } = call;
  return {
    id: result,
    body: {
      kind: 'message',
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId, toolName, output }],
      ...(outcome === 'interrupted' && { status: 'interrupted' as const }),
      ...(durationMs !== undefined && { durationMs }),
    },
  };
}

const STOPPED = 'Interrupted: somebody stopped the turn while this tool ran. It may have had an effect.';

/** A tool may give its output at once, later, or bit by bit. */
async function lastOf(run: () => unknown, onInterim: (output: unknown) => void): Promise<unknown> {
  const output = await run();
  if (typeof output !== 'object' || output === null || !(Symbol.asyncIterator in output)) return output;
  let last: unknown;
  for await (const interim of output as AsyncIterable<unknown>) {
    last = interim;
    onInterim(interim);
  }
  return last;
}

function invalidIn({ answer, toolCallId }: OpenCall): string | undefined {
  const { invalid } = (answer.body.meta?.run ?? {}) as { invalid?: Readonly<Record<string, string>> };
  return invalid?.[toolCallId];
}

function unknown({ toolName }: OpenCall, { tools }: ToolWork): string {
  const names = Object.keys(tools);
  return `There is no tool "${toolName}". ${names.length > 0 ? `There are: ${names.join(', ')}.` : 'There are none.'}`;
}

/** A tool's output in the AI SDK's form. */
interface ToolOutput {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The output of a tool as the model gets it. Always something that can be written down. */
async function toolOutput(
  tool: AgentTool,
  { toolCallId, input, output }: { toolCallId: string; input: unknown; output: unknown },
): Promise<ToolOutput> {
  if (tool.toModelOutput) {
    const told = await tool.toModelOutput({ toolCallId, input: input as never, output: output as never });
    return told as ToolOutput;
  }
  if (output === undefined) return { type: 'text', value: '' };
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: jsonOf(output) };
}

function errorOutput(error: unknown): ToolOutput {
  return { type: 'error-text', value: error instanceof Error ? error.message || error.name : String(error) };
}

/** A value that JSON cannot hold (a circle, a big integer) is given as text rather than lost. */
function jsonOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return String(value);
  }
}
