import * as claude from '../formats/claude-code/lines.ts';
import * as codex from '../formats/codex/rollouts.ts';
import * as pi from '../formats/pi/records.ts';

// One request that an agent works on for hours, in the shape of each program's files: steps of two calls at once.

export const REQUEST = `Move every price to integers of cents.\nNever touch the invoices. ${'Look at each file. '.repeat(30)}`;

interface LongTurn {
  readonly steps: number;
  /** What tools say before their result. */
  readonly output?: string;
}

export function longTurnOfPi({ steps, output = '' }: LongTurn) {
  const file = pi.createFile({ version: 3 });
  file.user(REQUEST);
  for (let step = 1; step <= steps; step++) {
    file.assistant([
      pi.text(`Step ${step}: price-${step}.ts is next.`),
      pi.call(`a_${step}`, { command: `cat ${step}.ts` }),
      pi.call(`b_${step}`, { command: `npm test ${step}` }),
    ]);
    file.result(`a_${step}`, `${output}result ${step}`);
    file.result(`b_${step}`, `${output}result passed ${step}`);
  }
  return file;
}

export function longTurnOfClaude({ steps, output = '' }: LongTurn) {
  const file = claude.createFile();
  file.prompt(REQUEST);
  for (let step = 1; step <= steps; step++) {
    file.reply(`msg_${step}`, claude.text(`Step ${step}: price-${step}.ts is next.`));
    file.reply(`msg_${step}`, claude.call(`a_${step}`, 'Read', { file_path: `${step}.ts` }));
    file.reply(`msg_${step}`, claude.call(`b_${step}`, 'Bash', { command: `npm test ${step}` }));
    file.result(`a_${step}`, `${output}result ${step}`);
    file.result(`b_${step}`, `${output}result passed ${step}`);
  }
  return file;
}

export function longTurnOfCodex({ steps, output = '' }: LongTurn) {
  const file = codex.createRollout();
  file.user(REQUEST);
  for (let step = 1; step <= steps; step++) {
    file.call(`a_${step}`, `{"command":"cat ${step}.ts"}`);
    file.call(`b_${step}`, `{"command":"npm test ${step}"}`);
    file.output(`a_${step}`, `${output}result ${step}`);
    file.output(`b_${step}`, `${output}result passed ${step}`);
  }
  return file;
}

export const LONG_TURNS = {
  pi: longTurnOfPi,
  'claude-code': longTurnOfClaude,
  codex: longTurnOfCodex,
} as const;

/** So long that leaving it out is worth it. */
export const LONG_OUTPUT = 'export const price = 700; // cents, as integers\n'.repeat(60);
