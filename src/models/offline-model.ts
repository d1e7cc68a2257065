import { readPart } from '../text/index.ts';
import { countText } from '../tokens/index.ts';
import type { CallOptions, GenerateResult, LanguageModelV4, Prompt, StreamPart } from './language-model.ts';
import { PROVIDERS } from './providers.ts';

export interface OfflineModelOptions {
  /** Finds passages about a question; by default in the conversation it is given, and nowhere else. */
  readonly quote?: (question: string, before: Prompt) => readonly Quote[] | Promise<readonly Quote[]>;
}

/**
 * The model of people who have connected none: it needs no key and no network, thinks nothing up, quotes messages, and says
 * that it does. How to connect one it says once in a conversation.
 */
export function createOfflineModel({ quote = quoteFromPrompt }: OfflineModelOptions = {}): LanguageModelV4 {
  async function answer({ prompt, abortSignal }: CallOptions): Promise<GenerateResult> {
    abortSignal?.throwIfAborted();
    const { question, before } = splitQuestion(prompt);
    const text = phrase(await quote(question, before), { question, first: !before.some(isOffline) });
    abortSignal?.throwIfAborted();
    const read = countText(prompt.map(({ content }) => JSON.stringify(content)).join('\n'));
    const written = countText(text);
    return {
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: read, noCache: read, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: written, text: written, reasoning: undefined },
      },
      warnings: [],
    };
  }

  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId: PROVIDERS.offline.defaultModel,
    supportedUrls: {},
    doGenerate: answer,
    doStream: async (options) => ({ stream: streamOf(await answer(options)) }),
  };
}

function phrase(quotes: readonly Quote[], { question, first }: { question: string; first: boolean }): string {
  const found = SOURCES.flatMap(([from, says]) => {
    const lines = quotes.filter((quote) => quote.from === from).map(({ who, text }) => `- ${who}: ${text}`);
    return lines.length > 0 ? [`${says}:\n\n${lines.join('\n')}`] : [];
  });
  const nothing = isAsking(question) ? 'This session says nothing about your question yet. ' : '';
  const said = found.length > 0 ? found.join('\n\n') : `${nothing}What you wrote is kept.`;
  if (!first) return `(offline) ${said}`;
  return `offline: no model is connected, so this is no answer of a model. ${said}\n\n${HOW_TO_CONNECT}`;
}

const SOURCES = [
  [undefined, 'Here is what this session says about your question'],
  ['project memory', "Here is what the project's memory says about it"],
  ['other sessions', 'Here is what other sessions of this project say about it'],
  ['work', 'Here is where the work stands'],
] as const satisfies readonly (readonly [Quote['from'], string])[];

/** True wherever it is read: in a chat, in the browser, in a program. */
const HOW_TO_CONNECT =
  'To connect a model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama and set OLLAMA_HOST, ' +
  'and start again. THROUGHLINE_MODEL names another, as in THROUGHLINE_MODEL=ollama:qwen3.';

function streamOf({ content, finishReason, usage }: GenerateResult): ReadableStream<StreamPart> {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const parts: StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    ...text.split(/(?<=\n)/).map((delta): StreamPart => ({ type: 'text-delta', id: '0', delta })),
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason, usage },
  ];
  // The web app's types know no `ReadableStream.from`, and they are checked with this file.
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** A quoted sentence and its author. */
export interface Quote {
  readonly who: string;
  readonly text: string;
  /** Where it comes from, if not from the conversation itself. */
  readonly from?: 'other sessions' | 'project memory' | 'work';
}

const MOST = 5;
const LONGEST = 300;
/** Next to the best, what fits less than this is there by chance. */
const LEAST_SHARE = 0.4;

/** The sentences of a conversation that fit the question best. */
function quoteFromPrompt(question: string, prompt: Prompt): Quote[] {
  return fittingQuotes(question, sentencesOf(prompt));
}

/** Everything that people and tools said, sentence by sentence. */
export function sentencesOf(prompt: Prompt): Quote[] {
  return prompt.flatMap(saidIn);
}

/**
 * The quotes that share most with the question, in the order they were given; rare words weigh more. None if they share nothing
 * but words that any question has, and none for statements: they know it.
 */
export function fittingQuotes(question: string, quotes: readonly Quote[]): Quote[] {
  if (!isAsking(question)) return [];
  const asked = tellingWords(question);
  // Who asks again does not want to hear the question.
  const others = quotes.filter(({ text }) => text !== question.trim());
  if (RECAP.test(question) && [...asked].every((word) => RECAP_WORDS.has(word))) return newestOf(others);
  const sentences = others.map((quote) => ({ quote, words: wordsOf(quote.text) }));
  const holding = new Map<string, number>();
  for (const { words } of sentences) {
    for (const word of words) if (asked.has(word)) holding.set(word, (holding.get(word) ?? 0) + 1);
  }
  const weigh = (word: string) => Math.log(1 + sentences.length / (holding.get(word) ?? sentences.length));

  const scored = sentences
    .map(({ quote, words }, index) => {
      const shared = [...asked].filter((word) => words.has(word));
      const weight = shared.reduce((sum, word) => sum + weigh(word), 0);
      // Long sentences share words by chance; the root keeps that from deciding without punishing detail.
      return { quote, index, score: weight / Math.sqrt(8 + words.size) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.index - a.index);
  return scored
    .filter(({ score }) => score >= LEAST_SHARE * scored[0]!.score)
    .filter(({ quote }, place, all) => !all.slice(0, place).some((better) => repeats(quote, better.quote)))
    .filter(({ quote }, _, all) => !all.some((other) => shortens(quote, other.quote)))
    .slice(0, MOST)
    .sort((a, b) => a.index - b.index)
    .map(({ quote }) => quote);
}

/** A summary and what it was made from say the same: once is enough. */
function repeats({ text }: Quote, better: Quote): boolean {
  return better.text.includes(text) || text.includes(better.text);
}

/** A summary leaves out small words: a sentence that is quoted itself is not quoted from a summary. */
function shortens({ who, text }: Quote, other: Quote): boolean {
  if (who !== 'summary') return false;
  const [words, more] = [wordsOf(text), wordsOf(other.text)];
  return words.size < more.size && words.isSubsetOf(more);
}

/** The person's last words, for messages without a subject. */
function newestOf(quotes: readonly Quote[]): Quote[] {
  return quotes
    .filter(({ who, from }) => from === undefined && (who === 'you' || who === 'summary'))
    .slice(-MOST);
}

const RECAP =
  /\b(?:sa(?:y|id)|talk(?:ed|ing)?|discuss(?:ed|ing)?|ask(?:ed|ing)?|recap|summar(?:y|i[sz]e)|remind|so far|last time)\b/i;
const RECAP_WORDS = new Set(
  `said talk talked talking discuss discussed discussing ask asked asking recap summary summarize summarise remind far last
  time earlier before today yesterday session conversation chat again here`
    .split(/\s+/)
    .map(singular),
);

const QUESTION =
  /[?？]|^\s*(?:who|what|when|where|which|why|how|is|are|do|does|did|can|could|should|will|was|were|tell|show|list|find|explain|remind|recall|summari[sz]e|recap)\b/i;

/** A question, a request or a few words to look for; a greeting and a sentence that ends in a full stop are none. */
export function isAsking(text: string): boolean {
  return QUESTION.test(text) || (!/[.!。！…]["”)\s]*$/.test(text) && tellingWords(text).size > 0);
}

/** The newest thing that a person said, and everything said before it. */
function splitQuestion(prompt: Prompt): { question: string; before: Prompt } {
  const last = prompt.findLastIndex(({ role }) => role === 'user');
  if (last < 0) return { question: '', before: prompt };
  return { question: textsOf(prompt[last]!).join('\n'), before: prompt.slice(0, last) };
}

/** Whether it is an answer of the offline model. */
function isOffline(message: Prompt[number]): boolean {
  return message.role === 'assistant' && /^(?:offline:|\(offline\) )/.test(textsOf(message)[0] ?? '');
}

function saidIn(message: Prompt[number]): Quote[] {
  // Instructions are not part of the conversation, and an answer of this model only repeats it.
  if (message.role === 'system' || isOffline(message)) return [];
  return textsOf(message).flatMap((text) => {
    const isLabelled = LABELLED.test(text);
    let who = text.startsWith('[Record ') ? 'summary' : nameOf(message.role);
    return text.split(/\n+/).flatMap((line) => {
      // A label is for all sentences of its entry, to the next label.
      const speaker = isLabelled ? SPEAKER.exec(line)?.slice(1).find(Boolean) : undefined;
      if (speaker !== undefined) who = nameOf(speaker);
      if (LABEL.test(line) || (isLabelled && HEADING.test(line))) return [];
      const said = speaker === undefined ? line : line.replace(SPEAKER, '');
      return said.split(/(?<=[.!?])\s+|(?<=[。！？])/u).flatMap((sentence) => toQuote(sentence, who));
    });
  });
}

/** Lines that no one spoke in that form, and headings. */
const LABEL =
  /^\s*(?:\[(?:Record|End of|Found in|Pinned|Not shown|Nothing of|The conversation|System note|History)\b|#{1,6}\s)/;
/** Blocks in which every entry is labelled with its speaker: originals that were found, and pins. */
const LABELLED = /^\[(?:Found in|Pinned)/;
const SPEAKER =
  /^(?:#\d+ )?(user|assistant|tool|system)(?:, entry [^:]*)?: |^\[Pinned entry [^,]*, number \d+, (\w+)\]/;
const HEADING = /^(?:\d{4}-\d{2}-\d{2}|Session \S+|This session):$/;

function toQuote(line: string, who: string): Quote[] {
  const text = line.replace(/^\s*[-*>] /, '').trim();
  if (text.length <= 1) return [];
  return [{ who, text: text.length > LONGEST ? `${clip(text, LONGEST)}…` : text }];
}

function nameOf(role: string): string {
  return role === 'user' ? 'you' : role;
}

function textsOf({ content }: Prompt[number]): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => {
    const piece = readPart(part);
    const text = piece.kind === 'said' ? piece.text : piece.kind === 'result' ? piece.output : undefined;
    return typeof text === 'string' ? [text] : [];
  });
}

/** Words that any question may have, and what people say when they meet. */
const COMMON = new Set(
  `a about all am an and any are as at be been but by can could did do does for from get give go got had has have he hello
  her hey hi him his how i if in into is it its just know let like may me my no not now of off ok okay on one or our out
  please say see she should show so tell than thank thanks that the their them then there these they this those to too up
  us was we were what when where which who whom whose why will with would yes you your`
    .split(/\s+/)
    .map(singular),
);

/** What a question is about. A short word in capitals is a name. */
function tellingWords(question: string): Set<string> {
  const names = new Set(question.match(/\b[A-Z]{2,3}\b/g)?.map((name) => name.toLowerCase()));
  return new Set([...wordsOf(question)].filter((word) => !COMMON.has(word) || names.has(word)));
}

/** Words, and pairs of characters where words are not set apart. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(run))
      words.add(singular(run));
    else for (let at = 0; at < run.length; at++) words.add(run.slice(at, at + 2));
  }
  return words;
}

/** One port, two ports. */
function singular(word: string): string {
  return /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

/** Cuts on a code point. */
function clip(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
