const KEY = /"[\w$.-]+"\s*:/g;
const OPENS = /[[{]\s*["{[]/;
const LEAST_KEYS = 3;

/** A text without the records of a log or the answers of a server in it, each on one line; the words before them stay. */
export function withoutData(text: string): string {
  return text.includes('":') ? text.split('\n').map(wordsOf).join('\n') : text;
}

/** The rest of an answer of a server, as a terminal breaks it over lines: `… next message."},"request_id":"req_1"}`. */
export function endsData(text: string): boolean {
  return REST.test(text);
}

const REST = /["\]}\d]\s*[}\]],\s*"[\w$.-]+"\s*:|"\s*,\s*"[\w$.-]+"\s*:\s*["{[\d]|"\s*\}{2,}\s*$/;

function wordsOf(line: string): string {
  const isData = OPENS.test(line) && (line.match(KEY)?.length ?? 0) >= LEAST_KEYS;
  return isData ? line.slice(0, line.search(OPENS)).trimEnd() : line;
}
