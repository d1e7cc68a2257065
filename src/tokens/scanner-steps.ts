import { KIND, KINDS, type Kind } from './character-table.ts';

// The scanner follows o200k's split into pieces without ever looking ahead: where the split depends on what comes
// next (a space belongs to the word after it, but stands alone before a digit), the step that sees it carries the cost.

/** What the scanner has just read. Every step has a cost. */
type Step =
  | { readonly at: 'start' | 'apostrophe' | 'end' | 'end after blank' }
  | { readonly at: 'word'; readonly lead: Lead; readonly letters: Letters; readonly length: number }
  | {
      readonly at: 'suffix' | 'digits' | 'spaced digits' | 'script' | 'spaced script';
      readonly length: number;
    }
  | { readonly at: 'space' | 'tab'; readonly line: 'middle' | 'start'; readonly length: number }
  | { readonly at: 'newline'; readonly after: 'text' | 'blanks' | 'newline' | 'indent' | 'marks' }
  | { readonly at: 'marks'; readonly after: 'text' | 'space' | 'tab'; readonly length: number };
type Lead = 'none' | 'space' | 'mark' | 'glued';
type Letters = 'lower' | 'Capital' | 'UPPER' | 'MIXed';

/** Longer words pay the last step for every further letter. */
const LONGEST_WORD = 12;

export interface ScannerSteps {
  readonly names: readonly string[];
  /** The step after `step << 4 | kind`. The scanner starts at step 0. */
  readonly next: Uint8Array;
}

export function createScannerSteps(): ScannerSteps {
  const steps: Step[] = [];
  const places = new Map<string, number>();
  const placeOf = (step: Step): number => {
    const name = Object.values(step).join(' ');
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, steps.length);
    return steps.push(step) - 1;
  };
  const next = new Uint8Array(256 << 4);
  placeOf({ at: 'start' });
  for (let place = 0; place < steps.length; place++) {
    for (let kind = 0; kind < KINDS; kind++) {
      next[(place << 4) | kind] = placeOf(follow(steps[place]!, kind as Kind));
    }
  }
  return { names: [...places.keys()], next };
}

function follow(step: Step, kind: Kind): Step {
  switch (kind) {
    case KIND.lower:
      return lowerAfter(step);
    case KIND.upper:
      if (step.at === 'word' && step.letters === 'UPPER') return longer(step);
      return { at: 'word', lead: leadAfter(step), letters: 'UPPER', length: 1 };
    case KIND.script:
      if (step.at === 'script' || step.at === 'spaced script')
        return { ...step, length: Math.min(step.length + 1, 8) };
      return { at: step.at === 'space' ? 'spaced script' : 'script', length: 1 };
    case KIND.space:
      return blankAfter(step, 'space');
    case KIND.tab:
      return blankAfter(step, 'tab');
    case KIND.newline:
      return { at: 'newline', after: lineBefore(step) };
    case KIND.digit:
      if (step.at === 'digits' || step.at === 'spaced digits')
        return { at: 'digits', length: (step.length % 3) + 1 };
      return { at: isBlank(step) ? 'spaced digits' : 'digits', length: 1 };
    case KIND.apostrophe:
      return step.at === 'word' ? { at: 'apostrophe' } : marksAfter(step);
    case KIND.mark:
      return marksAfter(step);
    case KIND.end:
      return { at: isBlank(step) ? 'end after blank' : 'end' };
  }
}

function lowerAfter(step: Step): Step {
  if (step.at === 'apostrophe') return { at: 'suffix', length: 1 };
  if (step.at === 'suffix') return { at: 'suffix', length: Math.min(step.length + 1, 3) };
  if (step.at !== 'word') return { at: 'word', lead: leadAfter(step), letters: 'lower', length: 1 };
  if (step.letters !== 'UPPER') return longer(step);
  return longer({ ...step, letters: step.length === 1 ? 'Capital' : 'MIXed' });
}

function longer(word: Step & { at: 'word' }): Step {
  return { ...word, length: Math.min(word.length + 1, LONGEST_WORD) };
}

/** One character before a word is part of its piece, unless that character already belongs to another. */
function leadAfter(step: Step): Lead {
  switch (step.at) {
    case 'space':
      return 'space';
    case 'tab':
    case 'apostrophe':
      return 'mark';
    case 'marks':
      return step.length === 1 && step.after !== 'space' ? 'mark' : 'none';
    case 'start':
    case 'newline':
      return 'none';
    default:
      return 'glued';
  }
}

function blankAfter(step: Step, at: 'space' | 'tab'): Step {
  if (isBlank(step))
    return { at: step.length > 1 ? step.at : at, line: step.line, length: Math.min(step.length + 1, 3) };
  return { at, line: step.at === 'newline' || step.at === 'start' ? 'start' : 'middle', length: 1 };
}

function lineBefore(step: Step): (Step & { at: 'newline' })['after'] {
  if (step.at === 'newline') return 'newline';
  if (isBlank(step)) {
    if (step.line === 'start') return 'indent';
    return step.length > 1 ? 'blanks' : 'text';
  }
  return step.at === 'marks' || step.at === 'apostrophe' ? 'marks' : 'text';
}

function marksAfter(step: Step): Step {
  if (step.at === 'marks') return { ...step, length: Math.min(step.length + 1, 3) };
  if (step.at === 'apostrophe') return { at: 'marks', after: 'text', length: 2 };
  return { at: 'marks', after: step.at === 'space' || step.at === 'tab' ? step.at : 'text', length: 1 };
}

function isBlank(step: Step): step is Step & { at: 'space' | 'tab' } {
  return step.at === 'space' || step.at === 'tab';
}
