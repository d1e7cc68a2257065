import {
  type Entry,
  type EntryId,
  type Seq,
  type SummaryCall,
  summaryCallIn,
  Usage,
} from '../../record/index.ts';
import { costOf, modelPrice } from '../../tokens/index.ts';
import { answerNotes, type CacheBreak } from '../request/note-request.ts';

/** One model call, as the log has it. */
export interface ModelCall {
  readonly entry: EntryId;
  readonly seq: Seq;
  readonly at: number;
  readonly for: 'answer' | 'compaction' | 'restoration';
  /** `provider:model`, if it is known. */
  readonly model?: string;
  /** As the provider reported it for this call alone. Absent if it reported nothing: the call was cut short. */
  readonly usage?: Usage;
  /** In US dollars. Absent if the price is unknown. */
  readonly cost?: number;
  /** Of a summary: in the chat or in a separate call, and why. */
  readonly asked?: SummaryCall;
  /** Why its request did not begin as the one before it, so that a provider's cache did not help. */
  readonly cacheBreak?: CacheBreak;
}

/** The model call that an entry records, if it records one. */
export function callIn(entry: Entry): ModelCall | undefined {
  const { id, seq, at, body } = entry;
  const made = madeBy(body);
  if (!made) return undefined;
  const { model, usage } = made;
  const cost = usage && costOfCall(usage, model);
  const { cacheBreak } = answerNotes(entry);
  return {
    entry: id,
    seq,
    at,
    for: made.for,
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
    ...(cost !== undefined && { cost }),
    ...(made.asked && { asked: made.asked }),
    ...(cacheBreak && { cacheBreak }),
  };
}

function madeBy(
  body: Entry['body'],
): (Pick<ModelCall, 'for' | 'asked'> & { model?: string; usage?: Usage }) | undefined {
  switch (body.kind) {
    case 'message': {
      const { role, model, usage, status, parts } = body;
      if (role !== 'assistant' || (model === undefined && !usage)) return undefined;
      // The mark of a turn stopped before its first word is no call.
      if (!usage && status === 'interrupted' && parts.length === 0) return undefined;
      return { for: 'answer', ...(model !== undefined && { model }), ...(usage && { usage }) };
    }
    case 'compaction': {
      const { usage, by, meta } = body;
      const asked = summaryCallIn(meta);
      const model = by.model === undefined ? {} : { model: by.model };
      return usage && { for: 'compaction', usage, ...model, ...(asked && { asked }) };
    }
    case 'restoration': {
      const { acknowledgement: said } = body;
      if (!said || (said.model === undefined && !said.usage)) return undefined;
      const { model, usage } = said;
      return { for: 'restoration', ...(model !== undefined && { model }), ...(usage && { usage }) };
    }
    case 'document': {
      // The summary that a session was left with stands beside the conversation, and was paid for like any other.
      const usage = Usage.safeParse(body.meta?.usage).data;
      const model = body.meta?.model;
      return usage && { for: 'compaction', usage, ...(typeof model === 'string' && { model }) };
    }
    default:
      return undefined;
  }
}

/** The cost written with the call beats the catalogue of today. */
function costOfCall(usage: Usage, model: string | undefined): number | undefined {
  if (usage.cost !== undefined) return usage.cost;
  if (model === undefined) return undefined;
  if (FREE.test(model)) return 0;
  const price = modelPrice(model);
  return price && costOf(usage, price);
}

/** A model that runs here costs nothing; a model that Ollama runs in its cloud is another matter. */
const FREE = /^(?:offline(?::|$)|ollama:(?!.*cloud$))/;
