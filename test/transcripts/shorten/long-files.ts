import * as claude from '../formats/claude-code/lines.ts';
import * as codex from '../formats/codex/rollouts.ts';
import * as pi from '../formats/pi/records.ts';

// Long conversations in the shape of each program's files.

const words = (turn: number) =>
  `Turn ${turn}: we keep prices in src/price-${turn}.ts as integers of cents, because floats lost ${turn} cents.`;

export function longPi({ turns = 20, version = 3 } = {}): string {
  const file = pi.createFile({ version });
  file.add('model_change', { provider: 'anthropic', modelId: 'claude-opus-4-5' });
  file.add('thinking_level_change', { thinkingLevel: 'high' });
  for (let turn = 1; turn <= turns; turn++) {
    file.user(`Question ${turn}: where is price-${turn}.ts?`);
    file.assistant([pi.text('I look.'), pi.call(`call_${turn}`, { command: `cat src/price-${turn}.ts` })]);
    file.result(`call_${turn}`, `export const price${turn} = ${turn * 7};\n`.repeat(12));
    file.assistant([pi.text(words(turn))]);
    if (turn % 5 === 0) file.add('hologram', { depth: turn, said: 'ünknown' });
    if (turn === 4) file.add('model_change', { provider: 'openai', modelId: 'gpt-5.2' });
    if (turn === 6) file.add('custom', { customType: 'state', data: { turn } });
  }
  return file.text();
}

export function longClaude({ turns = 20 } = {}): string {
  const file = claude.createFile();
  file.bare({ type: 'summary', summary: 'Prices', leafUuid: 'elsewhere' });
  for (let turn = 1; turn <= turns; turn++) {
    file.prompt(`Question ${turn}: where is price-${turn}.ts?`);
    file.reply(`msg_a${turn}`, claude.call(`toolu_${turn}`, 'Read', { file_path: `src/price-${turn}.ts` }));
    file.result(`toolu_${turn}`, `export const price${turn} = ${turn * 7};\n`.repeat(12));
    file.reply(`msg_b${turn}`, claude.text(words(turn)));
    file.add('system', { subtype: 'turn_duration', durationMs: 900, isMeta: true });
    if (turn % 5 === 0) file.bare({ type: 'hologram', depth: turn });
  }
  return file.text();
}

export function longCodex({ turns = 20 } = {}): string {
  const file = codex.createRollout();
  file.message('developer', '<permissions instructions>\nBe careful.\n</permissions instructions>');
  file.context('gpt-5.2-codex');
  for (let turn = 1; turn <= turns; turn++) {
    file.user(`Question ${turn}: where is price-${turn}.ts?`);
    file.call(`call_${turn}`, `{"command":"cat src/price-${turn}.ts"}`);
    file.output(`call_${turn}`, `export const price${turn} = ${turn * 7};\n`.repeat(12));
    file.assistant(words(turn));
    file.count();
    if (turn % 5 === 0) file.add('hologram', { depth: turn });
  }
  return file.text();
}

export const LONG_FILES = {
  'pi, version 1': { format: 'pi', text: longPi({ version: 1 }) },
  'pi, version 3': { format: 'pi', text: longPi() },
  'Claude Code': { format: 'claude-code', text: longClaude() },
  Codex: { format: 'codex', text: longCodex() },
} as const;
