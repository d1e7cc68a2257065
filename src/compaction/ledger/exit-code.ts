/** How shells and the agents around them tell the code: each at the start of a line. */
const TOLD =
  /^\s*(?:Exit code:?|exit code:?|Command exited with code|Process exited with code|Exit Code:|\[?exit status:?|exited with(?: code)?|Command failed with exit code:?)\s*(-?\d{1,3})\b/m;
const FIELDS = ['exitCode', 'exit_code', 'exit', 'returncode', 'code'] as const;

/** The exit code that a command's result tells, in a field or in its first or last lines; `undefined` when it does not. */
export function exitCodeOf(value: unknown, text: string): number | undefined {
  return fromFields(value, 0) ?? fromText(text);
}

function fromFields(value: unknown, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = value as Record<string, unknown>;
  for (const field of FIELDS) {
    const code = fields[field];
    if (typeof code === 'number' && Number.isInteger(code) && Math.abs(code) < 1000) return code;
  }
  return depth < 1 ? (fromFields(fields.metadata, 1) ?? fromFields(fields.details, 1)) : undefined;
}

function fromText(text: string): number | undefined {
  if (text.length > 0 && text[0] === '{' && text.length < 200_000) {
    const inJson = /"(?:exit_?[cC]ode|exit)"\s*:\s*(-?\d{1,3})\b/.exec(text.slice(-400));
    if (inJson) return Number(inJson[1]);
  }
  const edges = text.length <= 1200 ? text : `${text.slice(0, 600)}\n${text.slice(-600)}`;
  const told = TOLD.exec(edges);
  return told ? Number(told[1]) : undefined;
}
