import { type FormatName, formatNamed } from '../../../src/transcripts/index.ts';
import type { Reader } from '../../../src/transcripts/transcript.ts';
import * as claude from '../formats/claude-code/lines.ts';
import * as codex from '../formats/codex/rollouts.ts';
import * as pi from '../formats/pi/records.ts';

export interface Sample {
  readonly name: string;
  readonly format: FormatName;
  readonly text: string;
}

/** Files that an import takes several writes for: branches, summaries, sub-agents, and one that is long. */
export const SAMPLES: readonly Sample[] = [
  { name: 'a conversation', format: 'claude-code', text: claude.ordinary() },
  { name: 'a summary', format: 'claude-code', text: claude.compacted() },
  { name: 'branches', format: 'claude-code', text: claude.branched() },
  { name: 'a sub-agent', format: 'claude-code', text: claude.withSubAgent() },
  { name: 'a long one', format: 'claude-code', text: long(130) },
  { name: 'a tree', format: 'pi', text: pi.tree() },
  { name: 'a rollout', format: 'codex', text: codex.ordinary() },
  { name: 'a compacted rollout', format: 'codex', text: codex.compacted() },
];

export function readerOf({ format }: Sample): Promise<Reader> {
  return formatNamed(format).reader();
}

/** Turns of three entries, every hundredth on a branch of its own. */
export function long(turns: number, words = 'once more '): string {
  const file = claude.createFile();
  for (let turn = 0; turn < turns; turn++) {
    const parent =
      turn % 100 === 99 ? { parent: file.lines().length > 4 ? uuidOf(file.lines()[1]!) : null } : {};
    file.prompt(`Question ${turn}: ${words}`, parent);
    file.reply(`msg_${turn}`, claude.call(`toolu_${turn}`, 'Read', { file_path: `${turn}.ts` }));
    file.result(`toolu_${turn}`, `${turn}: ${words.repeat(9)}`);
    file.reply(`msg_${turn}_2`, claude.text(`Answer ${turn}`));
  }
  return file.text();
}

function uuidOf(line: string): string {
  return (JSON.parse(line) as { uuid: string }).uuid;
}
