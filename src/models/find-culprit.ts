import type { ProviderFailure } from './read-failure.ts';

/** What a provider took offence at, so that the next request can leave it out. */
interface Culprit {
  readonly about?: 'reasoning' | 'image' | 'document' | 'tool-pair';
  /** Counted from 0 in the request as it was sent: instructions apart, neighbours of one role possibly joined. */
  readonly item?: { readonly message: number; readonly part?: number };
}

const SUBJECTS = [
  [
    'reasoning',
    /thinking|thought_?signature|signature|encrypted content|encrypted_content|type 'reasoning'/i,
  ],
  ['tool-pair', /tool_use|tool_result|tool_call_id|tool output|function (?:call|response)/i],
  ['image', /image/i],
  ['document', /\bpdf\b|document|\bfile\b/i],
] as const;

/** `messages.3.content.1`, `input[3].content[1]`, `contents[3].parts[1]`, and without the second half. */
const PLACE = /\b(?:messages|input|contents)[.[]+(?<message>\d+)\]?(?:\.(?:content|parts)[.[]+(?<part>\d+))?/;

/** Which item a refused request was refused for, if the provider says. */
export function findCulprit({ message, body, codes }: ProviderFailure): Culprit {
  const said = `${message}\n${body}\n${codes.join(' ')}`;
  const about = SUBJECTS.find(([, words]) => words.test(said))?.[0];
  const place = PLACE.exec(said)?.groups;
  return {
    ...(about && { about }),
    ...(place && {
      item: { message: Number(place.message), ...(place.part !== undefined && { part: Number(place.part) }) },
    }),
  };
}
