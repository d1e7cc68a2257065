import { type BuiltContext, type ContextMessage, planRoom } from '../../src/context/index.ts';
import type { Entry, Message, Part } from '../../src/record/index.ts';
import { countMessage, countText } from '../../src/tokens/index.ts';
import { type History, inRange, textsOf } from './histories.ts';

// What holds for every context, whatever the history. Each function returns what is wrong, in words.

export function fits({ state, budget }: History, built: BuiltContext): string[] {
  const { window, reserve, limit } = planRoom(budget);
  const wrong: string[] = [];
  if (built.tokens > window - reserve) wrong.push(`${built.tokens} tokens in ${window} - ${reserve}`);
  const recount =
    countText(built.instructions) +
    (state.tools ?? []).reduce((sum, tool) => sum + countText(JSON.stringify(tool)), 0) +
    built.messages.reduce(
      (sum, { role, content }) => sum + countMessage({ role, parts: content as never }),
      0,
    );
  if (!Number.isInteger(built.tokens)) wrong.push(`${built.tokens} tokens`);
  if (!(recount <= limit)) wrong.push(`counted again ${recount} tokens, room for ${limit}`);
  const sum = built.parts.reduce((all, { tokens }) => all + tokens, 0);
  if (sum !== window) wrong.push(`parts add up to ${sum} of ${window}`);
  if (built.parts.some(({ tokens }) => tokens < 0 || !Number.isInteger(tokens))) wrong.push('a part below 0');
  if (built.maxOutput < 1 || built.maxOutput > window - built.tokens) wrong.push(`output ${built.maxOutput}`);
  if (built.maxOutput > (budget.outputLimit ?? Number.POSITIVE_INFINITY))
    wrong.push('more output than the model writes');
  return wrong;
}

export function staysInBounds({ budget }: History, { messages, instructions }: BuiltContext): string[] {
  const wrong: string[] = [];
  const json = JSON.stringify({ instructions, messages });
  if (Buffer.byteLength(json) > (budget.maxBytes ?? Number.POSITIVE_INFINITY))
    wrong.push(`${json.length} bytes`);
  const images = json.match(/"mediaType":"image/g)?.length ?? 0;
  if (images > (budget.maxImages ?? Number.POSITIVE_INFINITY)) wrong.push(`${images} images`);
  return wrong;
}

/** The newest question is the last thing a user said, word for word unless it alone is too large. */
export function endsWithTheQuestion({ state }: History, { messages, steps }: BuiltContext): string[] {
  const question = state.frontier.findLast(
    (entry) => isVisible(entry, state.marks) && messageOf(entry)?.role === 'user',
  );
  if (!question) return [];
  const last = messages.findLast(({ role }) => role === 'user');
  const shown = textsOf((last?.content ?? []) as unknown as Part[]);
  const missing = visibleTexts(question).filter((text) => !shown.includes(text));
  if (missing.length === 0) return [];
  return steps.includes('cut-messages') && shown.some((text) => text.includes(question.id))
    ? []
    : [`the newest question ${question.seq} is not last`];
}

/** Pins are somewhere in the request, word for word. */
export function holdsPins({ state, log }: History, { messages, instructions }: BuiltContext): string[] {
  const shown = JSON.stringify(messages) + JSON.stringify(instructions);
  return [...state.frontier, ...state.pinned].flatMap((entry) => {
    if (!isMarked(entry, state.marks.pinned) || !isVisible(entry, state.marks) || !log.includes(entry))
      return [];
    return visibleTexts(entry).every((text) => shown.includes(JSON.stringify(text).slice(1, -1)))
      ? []
      : [`pinned entry ${entry.seq} is not there`];
  });
}

/** Nothing of what is excluded or removed is sent. */
export function hidesExcluded({ state }: History, { messages, instructions }: BuiltContext): string[] {
  const shown = JSON.stringify(messages) + JSON.stringify(instructions);
  return state.frontier.flatMap((entry) => {
    if (isVisible(entry, state.marks)) return [];
    const labels = visibleTexts(entry).flatMap(
      (text) => text.match(/\[(?:ask|tools|late|answer) \d+\]/) ?? [],
    );
    return labels.some((label) => shown.includes(label)) ? [`excluded entry ${entry.seq} is sent`] : [];
  });
}

/** The head is word for word what it was given as. */
export function holdsHead({ state }: History, { instructions }: BuiltContext): string[] {
  return state.head.every(({ text }) => instructions.includes(text.toWellFormed()))
    ? []
    : ['the head is not whole'];
}

/** Messages keep their order, and a record stands before everything that was said after what it covers. */
export function keepsOrder({ log }: History, { messages }: BuiltContext): string[] {
  const seqOf = new Map(
    log.flatMap((entry) =>
      visibleTexts(entry).flatMap((text) => labelled(text).map((label) => [label, entry.seq] as const)),
    ),
  );
  const wrong: string[] = [];
  let newest = 0;
  for (const message of messages) {
    if (isBuilt(message)) continue;
    for (const label of textsOf(message.content as unknown as Part[]).flatMap(labelled)) {
      const seq = seqOf.get(label) ?? newest;
      if (seq < newest) wrong.push(`${label} after ${newest}`);
      newest = seq;
    }
  }
  for (const [index, message] of messages.entries()) {
    const [, to] = /^\[Record \S+ of entries \d+–(\d+):/.exec(firstText(message)) ?? [];
    if (to === undefined) continue;
    const earlier = messages.slice(0, index).filter((one) => !isBuilt(one));
    const seqs = earlier.flatMap((one) =>
      textsOf(one.content as unknown as Part[])
        .flatMap(labelled)
        .map((label) => seqOf.get(label) ?? 0),
    );
    if (seqs.some((seq) => seq > Number(to)))
      wrong.push(`a record of what came before ${to} stands after it`);
  }
  return wrong;
}

/** Reasoning of another model is not sent, and summaries have neither the system's nor the user's voice. */
export function keepsVoices({ state }: History, { messages, instructions }: BuiltContext): string[] {
  const wrong: string[] = [];
  if (/Summary \d|Digest of/.test(instructions)) wrong.push('a summary in the instructions');
  const thoughts = new Map(
    state.frontier.flatMap((entry) =>
      (messageOf(entry)?.parts ?? []).flatMap(({ type, text }) =>
        type === 'reasoning' ? [[text, entry] as const] : [],
      ),
    ),
  );
  for (const message of messages) {
    const text = firstText(message);
    if (/Summary \d+\. |Digest of \d/.test(text) && !/^\[(?:Record|Pinned)/.test(text))
      wrong.push('a summary without a label');
    for (const part of message.content as unknown as Part[]) {
      const source = part.type === 'reasoning' ? thoughts.get(part.text) : undefined;
      if (source && messageOf(source)?.model !== state.model) wrong.push('reasoning of another model');
      if (source && !messageOf(source)?.parts.some((one) => JSON.stringify(one) === JSON.stringify(part)))
        wrong.push('changed reasoning');
    }
  }
  return wrong;
}

function labelled(text: string): string[] {
  return [...text.matchAll(/\[(?:ask|tools|late|answer) \d+\]/g)].map(([label]) => label);
}

/** Written by the builder, not said by anybody. */
function isBuilt(message: ContextMessage): boolean {
  return /^\[(?:Record|Pinned|Not shown|System note|Found|The conversation before)/.test(firstText(message));
}

function firstText({ content }: ContextMessage): string {
  return textsOf(content as unknown as Part[])[0] ?? '';
}

function visibleTexts(entry: Entry): string[] {
  return textsOf(messageOf(entry)?.parts ?? [])
    .filter((text) => text.trim() !== '')
    .map((text) => text.toWellFormed());
}

function messageOf({ body }: Entry): Message | undefined {
  return body.kind === 'message' ? body : undefined;
}

function isVisible(entry: Entry, { excluded, removed }: History['state']['marks']): boolean {
  return !isMarked(entry, excluded) && !isMarked(entry, removed);
}

function isMarked(entry: Entry, targets: History['state']['marks']['pinned']): boolean {
  return targets.some((target) => ('entry' in target ? target.entry === entry.id : inRange(entry, target)));
}
