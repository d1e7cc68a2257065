import { cyan, dim } from '../terminal/paint.ts';
import { sayBytes } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import type { WrittenFile } from '../write-files.ts';

export function renderExport(files: readonly WrittenFile[]): string[] {
  return files.map(({ path, bytes }) => `${cyan(visibleLine(path))}  ${dim(sayBytes(bytes))}`);
}
