import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ThroughlineError } from '../../../errors.ts';

interface EditedText extends Disposable {
  readonly text: string;
  /** The file is not taken away, so that nothing that was typed is lost. */
  keep(): string;
}

/** Whether a person sits there who can edit a text: in a terminal, on both sides. */
export function canEdit(): boolean {
  return Boolean(process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY);
}

/** Lets a person edit a text in $VISUAL or $EDITOR. An editor that fails, as with `:cq`, cancels it; a deleted file is an empty one. */
export async function editText(text: string, name: string): Promise<EditedText> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-'));
  const file = path.join(folder, name);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    writeFileSync(file, text, { mode: 0o600 });
    await runEditor(file);
    let kept = false;
    return {
      text: existsSync(file) ? readFileSync(file, 'utf8') : '',
      keep() {
        kept = true;
        return file;
      },
      [Symbol.dispose]() {
        if (!kept) remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function runEditor(file: string): Promise<void> {
  const { VISUAL, EDITOR } = process.env;
  const isWindows = process.platform === 'win32';
  const editor = VISUAL || EDITOR || (isWindows ? 'notepad' : 'vi');
  // It may have arguments, so a shell reads it.
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
    : spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  // Ctrl-C is for the editor, as long as it runs.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    if (code !== 0)
      throw new ThroughlineError('cancelled', `The editor "${editor}" ended with ${code ?? 'a signal'}.`);
  } finally {
    process.off('SIGINT', ignore);
  }
}
