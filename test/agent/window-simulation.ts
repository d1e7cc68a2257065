import { runTurn, stopBackground, type TurnEvent } from '../../src/agent/index.ts';
import { PRESETS } from '../../src/compaction/index.ts';
import { planRoom } from '../../src/context/index.ts';
import type { OpenedModel } from '../../src/models/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { countMessage, countText } from '../../src/tokens/index.ts';
import { variedTalk } from './varied-talk.ts';

export interface Simulated {
  readonly window: number;
  /** Tokens that the provider counts for one that is estimated here. */
  readonly ratio: number;
  /** Estimated tokens of a turn. */
  readonly turn: number;
  readonly writer: 'digest' | 'model';
}

export interface Seen {
  readonly compactions: number;
  /** The fewest with which a conversation stays below the trigger, if one short summary is all that is left of them. */
  readonly least: number;
  /** Of each compaction, as a share of the trigger. */
  readonly freed: readonly number[];
  /** Requests, of answers and summaries, that were too long for the window. */
  readonly refused: number;
  /** Requests without the last whole turn, although it fits. */
  readonly withoutLastTurn: number;
  readonly writers: ReadonlySet<string>;
}

/** How long a conversation is, in triggers: long enough that summaries are merged, where that takes no minutes. */
const lengthOf = (window: number) => (window <= 32_768 ? 8 : 3.5);
const OUTPUT = 4_096;
/** After so many turns the provider's counts are known. */
const CALIBRATED = 3;
const QUESTION = 0.25;
/** Tokens of a provider are taken for so many, as its counts change from request to request. */
const MARGIN = 1.04;
const SENTENCE_TOKENS = countText(variedTalk(0, 500)) / 500;

/** A conversation with a provider that counts in its own way and refuses what is longer than its window. */
export async function simulate(given: Simulated): Promise<Seen> {
  const { window, ratio, turn, writer } = given;
  const session = await createSession(createMemoryStore(), { id: 's' });
  const { reserve } = planRoom({ window, outputLimit: OUTPUT });
  const room = window - reserve;
  const trigger = room * PRESETS.balanced.trigger.share;
  const events: TurnEvent[] = [];
  const prompts: string[] = [];
  let [refused, withoutLastTurn, said] = [0, 0, 0];
  const model = countingModel(
    { window, ratio, answer: () => text(`a${said}`, turn * (1 - QUESTION)) },
    (prompt, fits) => {
      if (!fits) refused++;
      else prompts.push(prompt);
    },
  );
  const real = turnTokens(turn) * ratio;
  const sizes = Math.max(14, Math.ceil((lengthOf(window) * trigger) / real));
  const lastFits = real * (1 + QUESTION) * 1.05 + 700 <= room;
  let load = 0;
  for (; said < sizes; said++, prompts.length = 0) {
    const skipped = await skip(session, { load, trigger, given, said, sizes });
    load += skipped * real;
    said += skipped;
    const before = events.length;
    await runTurn(session, text(`q${said}`, turn * QUESTION), {
      model,
      compaction: writer === 'digest' ? { summariser: 'digest' } : {},
      onEvent: (event) => events.push(event),
    });
    await settle(session);
    const asked = prompts.findLast((prompt) => prompt.includes(`q${said} begins`)) ?? '';
    if (said > CALIBRATED && lastFits && !isWhole(asked, said - 1)) withoutLastTurn++;
    load = loadAfter(events.slice(before), real);
  }
  await stopBackground(session);
  const results = events.flatMap((event) =>
    event.type === 'compaction-end' && 'result' in event.outcome && event.outcome.result
      ? [event.outcome.result]
      : [],
  );
  return {
    compactions: results.length,
    least: leastCompactions(sizes, { real, trigger, room }),
    freed: results.map(
      ({ originalTokenCount, compressedTokenCount }) =>
        ((originalTokenCount - compressedTokenCount) * ratio) / trigger,
    ),
    refused,
    withoutLastTurn,
    writers: new Set(results.map(({ by }) => by.kind)),
  };
}

/** How full the context is after a turn; not known behind a compaction, until the next request tells. */
function loadAfter(events: readonly TurnEvent[], real: number): number {
  const asked = events.findLastIndex(({ type }) => type === 'request-start');
  const request = events[asked];
  const isShortened = events.slice(asked).some(({ type }) => type === 'compaction-end');
  return request?.type !== 'request-start' || isShortened ? Number.POSITIVE_INFINITY : request.tokens + real;
}

/** Fewer turns are run. */
const SKIPPED_LEAST = 40;

/**
 * Far from both marks nothing happens but that the log grows, so those turns are written without being run. The turns
 * before a mark are run: the provider's counts are learnt from the newest answers.
 */
async function skip(
  session: Session,
  {
    load,
    trigger,
    given: { ratio, turn },
    said,
    sizes,
  }: { load: number; trigger: number; given: Simulated; said: number; sizes: number },
): Promise<number> {
  if (said < 4) return 0;
  const real = turn * ratio;
  const soft = trigger * PRESETS.balanced.soft;
  const next = load < soft ? soft : trigger;
  const count = Math.min(Math.floor((next * 0.99 - load) / real) - 8, sizes - said - 1);
  if (count < SKIPPED_LEAST) return 0;
  await session.append(
    Array.from({ length: count }, (_, n) => [
      user(text(`q${said + n}`, turn * QUESTION)),
      assistant(text(`a${said + n}`, turn * (1 - QUESTION))),
    ]).flat(),
  );
  return count;
}

/** Until the background has come to rest: a summary that is prepared there is written at once. */
async function settle(session: Session): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise(setImmediate);
  await session.refresh();
}

function isWhole(prompt: string, turn: number): boolean {
  return ['q', 'a'].every(
    (who) => prompt.includes(`${who}${turn} begins`) && prompt.includes(`${who}${turn} ends`),
  );
}

function text(name: string, tokens: number): string {
  const sentences = Math.max(1, Math.round(tokens / SENTENCE_TOKENS) - 1);
  const seed = 2 * Number(name.slice(1)) + (name.startsWith('q') ? 0 : 1);
  return `${name} begins: ${variedTalk(seed, sentences)} ${name} ends.`;
}

/** As entries are counted: a little more than what is asked for. */
function turnTokens(turn: number): number {
  return [user(text('q1', turn * QUESTION)), assistant(text('a1', turn * (1 - QUESTION)))]
    .map((message) => countMessage(message))
    .reduce((sum, tokens) => sum + tokens, 0);
}

/** What stands around a summary in a request. */
const LABEL = 60;

/**
 * Compacts whenever there is no other way, and keeps as the policy says, beside one summary of the smallest size. Counts
 * as the program does: with its margin for providers whose counts change.
 */
function leastCompactions(
  turns: number,
  { real, trigger, room }: { real: number; trigger: number; room: number },
): number {
  const turn = real * MARGIN;
  const { share, tokens } = PRESETS.balanced.keep;
  const kept = Math.max(1, Math.floor(Math.min(tokens, share * trigger) / turn)) * turn;
  const summary = Math.min(300, trigger / 10) + LABEL;
  let [load, compactions] = [0, 0];
  for (let n = 0; n < turns; n++) {
    if (load + turn * QUESTION > room || load > trigger) {
      load = summary + (kept + turn * QUESTION > room ? 0 : Math.min(load, kept));
      compactions++;
    }
    load += turn;
  }
  return compactions;
}

function textsOf(prompt: Call['prompt']): string[] {
  return prompt.flatMap(({ content }) =>
    typeof content === 'string' ? [content] : content.map((part) => ('text' in part ? part.text : '')),
  );
}

type Call = Parameters<OpenedModel['languageModel']['doStream']>[0];

/** A provider: counts each prompt, refuses one that leaves no room for its answer, and writes summaries when asked for one. */
function countingModel(
  { window, ratio, answer }: { window: number; ratio: number; answer: () => string },
  onPrompt: (prompt: string, fits: boolean) => void,
): OpenedModel {
  const receive = ({ prompt, responseFormat, maxOutputTokens = 0 }: Call) => {
    const texts = textsOf(prompt);
    const schema = responseFormat?.type === 'json' ? JSON.stringify(responseFormat.schema ?? '') : '';
    const counted = Math.ceil(ratio * (countText(texts.join('\n')) + 4 * texts.length + countText(schema)));
    const fits = counted <= window && counted + Math.min(maxOutputTokens, 1) <= window;
    onPrompt(texts.join('\n'), fits);
    if (fits) return counted;
    const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${counted} tokens.`;
    throw Object.assign(new Error(message), {
      statusCode: 400,
      responseBody: JSON.stringify({ error: { message, code: 'context_length_exceeded' } }),
    });
  };
  const usage = (input: number, output: number) => ({
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  });
  const finish = { unified: 'stop', raw: undefined } as const;
  const languageModel: OpenedModel['languageModel'] = {
    specificationVersion: 'v4',
    provider: 'compatible',
    modelId: 'counting',
    supportedUrls: {},
    async doGenerate(request) {
      const counted = receive(request);
      return {
        content: [{ type: 'text', text: summaryOf(request.prompt) }],
        finishReason: finish,
        usage: usage(counted, 80),
        warnings: [],
      };
    },
    async doStream(request) {
      const counted = receive(request);
      const said = answer();
      return {
        stream: ReadableStream.from([
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: said },
          { type: 'text-end', id: 't' },
          { type: 'finish', finishReason: finish, usage: usage(counted, 50) },
        ] as never[]),
      };
    },
  };
  return {
    id: 'compatible:counting',
    provider: 'compatible',
    model: 'counting',
    languageModel,
    limits: { window, output: OUTPUT, source: 'declared' },
  };
}

/** A summary as long as it was asked for, of sentences from all of the transcript. */
function summaryOf(prompt: Call['prompt']): string {
  const asked = textsOf(prompt).join('\n');
  const [, transcript = ''] = /<transcript>\n([\s\S]*)\n<\/transcript>/.exec(asked) ?? [];
  const [, most = '300'] = /About (\d+) tokens in all/.exec(asked) ?? [];
  const sentences = transcript.match(/(?:The|Our) [^.]+(?:\.ts[^.]+)?\./g) ?? [];
  const count = Math.min(sentences.length, Math.max(2, Math.floor(Number(most) / (SENTENCE_TOKENS + 2)) - 2));
  const lines = Array.from({ length: count }, (_, n) => ({
    text: sentences[Math.floor((n * sentences.length) / count)]!,
    entries: [],
  }));
  const list = (share: number) => lines.filter((_, n) => n % 3 === share);
  return JSON.stringify({
    background: '',
    overview: 'The parts of the system were discussed at length.',
    topics: [],
    decisions: list(0),
    completed: [],
    pending: list(1),
    blockers: [],
    facts: list(2),
  });
}

export const WINDOWS = [4_096, 8_192, 16_384, 32_768, 131_072, 200_000, 1_000_000] as const;
export const RATIOS = [0.8, 1, 1.155, 1.3, 1.5] as const;
export const TURNS = [200, 1_000, 5_000, 30_000] as const;
export const WRITERS = ['digest', 'model'] as const;

/** Fails with every promise that a simulated conversation broke. */
export function checkSeen({ writer }: Simulated, seen: Seen): void {
  const broken = [
    seen.refused > 0 && `${seen.refused} requests were too long`,
    seen.withoutLastTurn > 0 && `${seen.withoutLastTurn} requests were without the last whole turn`,
    seen.compactions > Math.ceil(seen.least * 1.5) &&
      `${seen.compactions} compactions instead of ${seen.least}`,
    seen.compactions === 0 && 'nothing was compacted',
    Math.min(...seen.freed) < 0.24 && `a compaction freed ${Math.min(...seen.freed)} of the trigger`,
    [...seen.writers].some((by) => by !== writer) && `written by ${[...seen.writers].join(' and ')}`,
  ].filter((problem) => problem !== false);
  if (broken.length > 0) throw new Error(broken.join('; '));
}
