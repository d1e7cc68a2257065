import type { OperationResult } from '../../../operations/index.ts';
import type { compactFiles } from '../../../operations/transcript/index.ts';
import { sayCount, sayDollars, sayNumber } from '../../../text/index.ts';
import { cyan, dim } from '../terminal/paint.ts';
import { sayBytes } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';

type FileCompaction = OperationResult<typeof compactFiles>['files'][number];

const WHY: Readonly<Record<NonNullable<FileCompaction['reason']>, string>> = {
  disabled: 'left alone: it is switched off in the settings',
  short: 'left alone: it is short enough',
  'few-turns': 'left alone: fewer than 3 old turns',
  'no-gain': 'left alone: a summary would not make it shorter',
  'model-failed': 'left alone: the model wrote no summary that could be used; the next run tries again',
};

export function renderFileCompaction({ file, analysis, ...done }: FileCompaction): string[] {
  const name = cyan(visibleLine(file));
  // A model is asked twice; two equal failures are one line.
  const failures = new Set(
    (done.failures ?? []).map(({ by: who, reason }) => dim(`  ${who} was not used: ${visibleLine(reason)}`)),
  );
  const notes = [...failures, ...sayCalls(done.usage)];
  if (done.outcome === 'left') return [`${name} ${done.reason ? WHY[done.reason] : ''}`.trimEnd(), ...notes];
  const percent = Math.round((1 - done.linesAfter / analysis.lines) * 100);
  const size = `${sayBytes(done.bytesBefore)} → ${sayBytes(done.bytesAfter)}`;
  if (done.elided !== undefined)
    return [
      `${name} Session compressed: ${size}`,
      dim(`  the output of ${sayCount(done.elided, 'old tool result')} left out, every turn as it was`),
    ];
  const by = done.by?.kind === 'model' ? (done.by.model ?? 'a model') : 'the digest';
  const again = done.remade ? ', from the archived original,' : '';
  return [
    `${name} Session compressed: ${sayNumber(analysis.lines)} lines → ${sayNumber(done.linesAfter)} lines (${percent}% reduction)`,
    dim(
      done.steps === undefined
        ? `  ${size}, ${sayCount(analysis.oldTurns, 'old turn')} summarised${again} by ${by}, ${sayCount(analysis.recentTurns, 'turn')} as they were`
        : `  ${size}, ${sayCount(done.steps, 'step')} of a long turn summarised${again} by ${by}, its request and its newest steps as they were`,
    ),
    ...notes,
  ];
}

/** They are paid also if the summary was not used. */
function sayCalls(usage: FileCompaction['usage']): string[] {
  if (!usage) return [];
  const { inputTokens, outputTokens, cost } = usage;
  const price = cost === undefined ? '' : ` (${sayDollars(cost)})`;
  return [dim(`  the calls to the model took ${sayCount(inputTokens + outputTokens, 'token')}${price}`)];
}

export function renderFileAnalysis({ file, format, analysis, reason }: FileCompaction): string[] {
  const { lines, messages, user, assistant, toolResults, tokens } = analysis;
  return [
    `${cyan(visibleLine(file))}  ${dim(format)}  ${reason ? WHY[reason] : 'would be shortened'}`,
    `  ${sayCount(lines, 'line')}, ${sayCount(messages, 'message')} (${sayNumber(user)} user, ${sayNumber(assistant)} assistant, ${sayNumber(toolResults)} tool results), about ${sayCount(tokens, 'token')}`,
    `  ${sayCount(analysis.oldTurns, 'old turn')}, ${sayCount(analysis.recentTurns, 'recent turn')}, ${sayCount(analysis.headerLines, 'header line')}, ${sayCount(analysis.otherLines, 'other line')}, ${sayCount(analysis.compactions, 'compaction')}`,
  ];
}
