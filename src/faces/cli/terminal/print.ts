import { wrapText } from './text-width.ts';

/** Thrown when the reader of a pipe has seen enough (`| head`). The command ends; nothing went wrong. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

// Each write reports its own failure below; without a listener the stream would report it again by ending the process.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

/** Writes results to stdout, and waits: a slow reader slows the command down instead of filling the memory. */
export async function print(text: string | Uint8Array): Promise<void> {
  const error = await new Promise<Error | null | undefined>((resolve) => process.stdout.write(text, resolve));
  if (!error) return;
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new OutputClosed();
  throw new Error(`The output could not be written: ${error.message}`, { cause: error });
}

/** Says something beside the results, on stderr: a pipe carries results only, and the person still sees it. */
export function note(text: string): void {
  const { isTTY, columns } = process.stderr;
  process.stderr.write(`${isTTY && columns > 0 ? wrapText(text, columns) : text}\n`);
}

export async function printLines(lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await print(`${lines.join('\n')}\n`);
}

export async function printJson(value: unknown): Promise<void> {
  await print(`${toJson(value, 2)}\n`);
}

/** An array, one item per line, written as the items come. */
export async function printJsonList(items: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const item of items) await print(`${count++ === 0 ? '[\n' : ',\n'}${toJson(item)}`);
  await print(count === 0 ? '[]\n' : '\n]\n');
}

/** JSON text that is safe on a screen: from U+007F on, JSON leaves raw what terminals obey. It reads back the same. */
export function toJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, bytesAsBase64, indent);
  return json.replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function bytesAsBase64(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
