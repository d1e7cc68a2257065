import type { ToolOutcome, TurnEvent } from '../../../agent/index.ts';
import type { AutoOutcome } from '../../../compaction/index.ts';
import { sayNumber, sayWhy } from '../../../text/index.ts';
import { shortValue } from '../render/short-value.ts';
import { foldWidth } from '../terminal/screen-width.ts';
import { cutToWidth } from '../terminal/text-width.ts';
import type { Chat } from './chat.ts';
import type { AnswerView, Screen } from './screen.ts';

/** What a person sees of a turn while it runs. */
export interface TurnView {
  readonly see: (event: TurnEvent) => void;
  /** Something that is said while it runs. */
  aside(line: string): void;
  /** Lets a person type: from here on everything waits until the screen is released. */
  hold(): void;
  /** Ends the line, asks, and goes on. */
  pausing<T>(ask: () => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

export function createTurnView(
  screen: Screen,
  name: string,
  {
    onLoad,
    onLate,
  }: {
    onLoad: (load: NonNullable<Chat['load']>) => void;
    /** A line about it that comes when it has ended, such as what became of a summary. */
    onLate: (line: string) => void;
  },
): TurnView {
  let ended = false;
  let answer: AnswerView | undefined;
  const view = () => {
    answer ??= screen.answer(name);
    return answer;
  };
  const wait = createWaitingLine(screen);

  function see(event: TurnEvent): void {
    if (event.type !== 'request-start' && event.type !== 'reasoning-delta') wait.end();
    switch (event.type) {
      case 'request-start':
        onLoad(event);
        wait.begin();
        break;
      case 'text-delta':
        view().add(event.text);
        break;
      case 'reasoning-delta':
        wait.begin('thinking');
        break;
      default: {
        const line = asideOf(event);
        if (line === undefined) break;
        if (ended) onLate(line);
        else view().aside(line);
      }
    }
  }

  return {
    see,
    aside(line) {
      wait.end();
      view().remark(line);
    },
    hold() {
      wait.end();
      answer?.pause();
      screen.hold();
    },
    async pausing(ask) {
      wait.end();
      return ask();
    },
    async end() {
      ended = true;
      wait.end();
      await answer?.end();
    },
  };
}

/** A note on a separate line, in the middle of an answer. */
function asideOf(event: TurnEvent): string | undefined {
  switch (event.type) {
    case 'tool-start':
      return fold(`→ ${event.toolName} ${shortValue(event.input)}`);
    case 'tool-end':
      return fold(`← ${event.toolName} ${OUTCOMES[event.outcome]}${outputOf(event)}`);
    case 'prefix-change':
      return anewLine(event);
    case 'compaction-start':
      return `Shortening the conversation: ${sayWhy(event.why)} …`;
    case 'compaction-end':
      return compactionLine(event.outcome);
    case 'retry-start': {
      const seconds = Math.max(1, Math.round(event.waitMs / 1000));
      return `${event.reason} Asking again in ${seconds} s (${event.attempt} of ${event.of}).`;
    }
    case 'request-mend':
      return `${event.reason} Asking again without ${event.about}.`;
    default:
      return undefined;
  }
}

/** Reading so few tokens anew is not worth a line. */
const WORTH_TELLING = 20_000;

/** Notes without an action for the person, and repeated ones, are left out. */
function anewLine({ part, cause, name, tokens }: Extract<TurnEvent, { type: 'prefix-change' }>) {
  const why = {
    tools: 'the tools changed',
    instructions: `the instructions changed${name === undefined ? '' : ` (${name})`}`,
    model: 'another model answered before',
    expired: 'its cache has expired',
    marks: 'entries were pinned, left out or put back',
    compaction: undefined,
    refused: undefined,
    fitting: undefined,
    other: undefined,
  }[cause];
  if (why === undefined || tokens < WORTH_TELLING) return undefined;
  const what = part === 'head' ? `all ${sayNumber(tokens)} tokens` : `a part of ${sayNumber(tokens)} tokens`;
  return `The provider reads ${what} anew: ${why}.`;
}

function compactionLine(outcome: AutoOutcome): string | undefined {
  if (outcome.did === 'stop')
    return `The conversation is no longer shortened by itself: ${outcome.reason}. It starts again once enough more was said, and after you compact, expand, pin or leave out something, or choose another model.`;
  if (outcome.did === 'draft') {
    const { messages, tokensBefore, tokensAfter } = outcome.draft;
    return `The context is full, and a draft summary waits: ${messages} messages, ${sayNumber(tokensBefore)} to ${sayNumber(tokensAfter)} tokens. "/compact review" shows it; until it is approved nothing is shortened for good.`;
  }
  if (outcome.did !== 'compact') return undefined;
  const { messagesCompacted, originalTokenCount, compressedTokenCount, instead } = outcome.result;
  return `Context compacted: ${messagesCompacted} messages, ${sayNumber(originalTokenCount)} to ${sayNumber(compressedTokenCount)} tokens. The log keeps every word; "expand" shows them again.${instead === undefined ? '' : ` ${instead}`}`;
}

const OUTCOMES: Readonly<Record<ToolOutcome, string>> = {
  done: '',
  failed: 'failed: ',
  denied: 'was not allowed',
  interrupted: 'was interrupted',
};

function outputOf({ entry, outcome }: Extract<TurnEvent, { type: 'tool-end' }>): string {
  if ((outcome !== 'done' && outcome !== 'failed') || entry.body.kind !== 'message') return '';
  const { output } = (entry.body.parts[0] ?? {}) as { output?: { value?: unknown } };
  return shortValue(output?.value ?? output);
}

function fold(line: string): string {
  return cutToWidth(line.replace(/\s+/g, ' '), foldWidth());
}

const FRAMES = ['·  ', '·· ', '···'];
const FRAME_MS = 300;

/** One line that shows that a turn is running; it is taken away when something comes. Terminals only. */
function createWaitingLine(screen: Screen) {
  let timer: NodeJS.Timeout | undefined;
  let doing = '';
  let frame = 0;
  return {
    begin(what = '') {
      doing = what;
      if (!screen.rich || timer) return;
      frame = 0;
      timer = setInterval(() => {
        if (screen.held) return;
        process.stdout.write(`\r\x1b[K${FRAMES[frame++ % FRAMES.length]} ${doing}`);
      }, FRAME_MS);
      timer.unref();
    },
    end() {
      if (timer && frame > 0 && !screen.held) process.stdout.write('\r\x1b[K');
      clearInterval(timer);
      timer = undefined;
    },
  };
}
