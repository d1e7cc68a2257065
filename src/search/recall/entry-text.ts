import { type Entry, summaryIn } from '../../record/index.ts';
import { renderSummary } from '../../summary/index.ts';
import { type SayOptions, sayMessage, sayValue } from '../../text/index.ts';

const WORDING: SayOptions = {
  call: ({ name, input }) => `(calls ${name} with ${input})`,
  result: ({ name, output, failed }) => `(${name}${failed ? ' failed' : ''}) ${output}`,
  file: ({ type, name, mediaType }) => `(${[type, name, mediaType].filter(Boolean).join(' ')})`,
  other: (type) => `(${type})`,
  large: ({ preview, bytes }) => `${preview} […] (${bytes} bytes in all)`,
};

/** An entry as text for a model. Large values that are not in place are given by their preview. */
export function entryText({ body }: Entry): string {
  const summary = summaryIn(body);
  if (summary) return renderSummary(summary);
  return body.kind === 'message' ? sayMessage(body, WORDING) : sayValue(body, WORDING);
}
