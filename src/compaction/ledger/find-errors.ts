/** What went wrong, at the start of a line, as compilers, runtimes, shells and test runners put it. */
const STRONG =
  /^[ \t>|•*-]*(?:(?:[\w$.]*(?:Error|Exception|Panic)\b(?: \[[^\]\n]{1,60}\])?: .)|(?:error|Error|ERROR)(?:\[\w+\])?(?: TS\d+)?: .|(?:fatal|FATAL|panic|fail|npm error|npm ERR!): .|npm (?:error|ERR!) .|E {3}.|error TS\d+|Traceback \(most recent|[\w./-]+[:(]\d+[:,]\d+\)?:? [-–]?\s?(?:fatal )?error\b|(?:[\w./-]+: )?(?:line \d+: )?[\w./-]+: (?:command not found|No such file or directory|Permission denied))/;
/** How test runners name a test that failed: vitest, jest, pytest, go, rust, TAP, mocha. */
const FAILING =
  /^[ \t]*(?:FAIL(?:ED)?:?[ \t]+\S|--- FAIL: \S|[×✗✘] \S|● .+ › |not ok \d+ |test \S+ \.\.\. FAILED|\d+\) .*(?:should|fails?))/;
const FRAME = /^[ \t]*(?:at (?:.*\()?([^()\s]+:\d+:\d+)\)?|File "([^"]+)", line (\d+))/;

const LONGEST = 200;
const MOST = 12;
const LINES = 4000;
const SHORT = 600;
const COMPLAINT = /^(?:fatal|error|\(eval\)|[a-z][\w-]{0,20}): \S.{3,}/;

/**
 * The lines of a text that say what went wrong, oldest first. A tool that `failed` gives at least one: its first
 * telling line, when none looks like an error and the text is short. Of a `copy` of files only what the program itself
 * complained about counts. A stack trace becomes its head and the first frame.
 */
export function findErrors(
  text: string,
  { failed = false, copy = false }: { failed?: boolean; copy?: boolean } = {},
): string[] {
  if (!failed && !MIGHT.test(text)) return [];
  const lines = text.split('\n', LINES);
  const isError = (line: string) =>
    copy ? COMPLAINT.test(line) : !NOISE.test(line) && (STRONG.test(line) || FAILING.test(line));
  const found: string[] = [];
  for (let index = 0; index < lines.length && found.length < MOST; index++) {
    const line = lines[index]!;
    if (line.length > 2000 || !isError(line)) continue;
    const error = line.startsWith('Traceback') ? pythonError(lines, index) : withFrame(lines, index);
    if (error) found.push(shorten(error));
  }
  if (found.length === 0 && failed && text.length <= SHORT) {
    const telling = lines.find(
      (line) => /\p{L}{3}/u.test(line) && !/^\s*(?:exit code|wall time|output:|\(no output\))/i.test(line),
    );
    if (telling) found.push(shorten(telling));
  }
  return [...new Set(found)];
}

/** How npm repeats that a script failed, which the script itself has said. */
const NOISE =
  /^npm (?:error|ERR!)\s*(?:code \d|code ELIFECYCLE|errno|path|workspace|location|command|syscall|dest|Lifecycle script|A complete log|$)/;

// One cheap look at the whole text, so that ordinary output costs nothing more.
const MIGHT =
  /rror|xception|anic|fatal|FAIL|[×✗✘●]|not ok|Traceback|not found|No such file|denied|ERR!|^E {3}/m;

function withFrame(lines: readonly string[], index: number): string {
  const frame = lines
    .slice(index + 1, index + 4)
    .map((line) => FRAME.exec(line.slice(0, 500)))
    .find((match) => match);
  const place = frame?.[1] ?? (frame?.[2] && `${frame[2]}:${frame[3]}`);
  return place ? `${shorten(lines[index]!)} (${place})` : lines[index]!;
}

/** Python says what went wrong last. */
function pythonError(lines: readonly string[], start: number): string {
  const end = lines.findIndex(
    (line, index) => index > start && /^[\w.]+(?:Error|Exception|Exit|Interrupt)\b/.test(line),
  );
  return end < 0 ? '' : lines[end]!;
}

function shorten(line: string): string {
  const text = line.replace(/\s+/g, ' ').trim();
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).toWellFormed()}…`;
}
