import { type Converter, lineReader } from '../../source/convert-lines.ts';
import { isFields, textOf } from '../../source/fields.ts';
import { peek } from '../../source/peek.ts';
import { readJson } from '../../source/read-json.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { Found, Reader, TranscriptSource } from '../../transcript.ts';
import { createGeminiConversation } from './conversation.ts';

/** Reads both layouts: lines that are added and written again, and one object that is written whole. */
export const readGemini: Reader = async function* (source) {
  const { source: whole, isLines } = await peek(source);
  yield* isLines ? readRecords(whole) : readObject(whole);
};

const readRecords = lineReader(isGeminiRecord, createConverter);

function isGeminiRecord(value: Fields): boolean {
  if ('$set' in value || '$rewindTo' in value) return true;
  if (typeof value.sessionId === 'string') return 'startTime' in value || 'projectHash' in value;
  return typeof value.id === 'string' && typeof value.type === 'string' && 'content' in value;
}

function createConverter(): Converter {
  const conversation = createGeminiConversation();
  return {
    record({ value, text, mended }, found) {
      if (!conversation.begun)
        conversation.start(value, `headless-${textOf(value.id) ?? text.slice(0, 200)}`, found);
      if (typeof value.id === 'string' && value.sessionId === undefined)
        return conversation.take({ record: value, text, ...(mended && { mended }) }, found);
      const type = '$set' in value ? '$set' : '$rewindTo' in value ? '$rewindTo' : 'header';
      conversation.carry({ type, text, rewind: value.$rewindTo }, found);
      // A history that was handed over stands in the header; a shortened one replaces the request, not the messages.
      const { messages } = value;
      if (type === 'header' && Array.isArray(messages))
        for (const message of messages.filter(isFields))
          conversation.take({ record: message, text: JSON.stringify(message) }, found);
    },
    fragment: ({ fragment }, found) => conversation.fragment(fragment, found),
    settle: (found) => conversation.settle(found),
  };
}

async function* readObject(source: TranscriptSource): AsyncGenerator<readonly Found[]> {
  const conversation = createGeminiConversation();
  for await (const pieces of readJson(source, { lists: ['messages'] })) {
    const found: Found[] = [];
    for (const piece of pieces) {
      if ('damage' in piece) found.push({ kind: 'damage', what: piece.damage });
      else if ('head' in piece) conversation.start(piece.head, 'headless', found);
      else if ('whole' in piece) {
        if (!conversation.begun && typeof piece.whole.sessionId === 'string')
          conversation.start(piece.whole, '', found);
      } else if (conversation.begun && isFields(piece.item))
        conversation.take({ record: piece.item, text: piece.text }, found);
      else if (conversation.begun) found.push({ kind: 'damage', what: 'misshapen' });
    }
    yield found;
  }
  const found: Found[] = [];
  if (conversation.begun) conversation.settle(found);
  yield [...found, { kind: 'quiet' }];
}
