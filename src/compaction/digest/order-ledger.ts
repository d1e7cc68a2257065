import type { LedgerItem, SummaryFile } from '../../record/index.ts';

/** Programs that only look. A line made of nothing else can be run again at no cost, so it need not be remembered. */
const LOOKING =
  /^(?:sudo )?(?:ls|cat|head|tail|less|nl|sed -n|grep|egrep|rg|ag|find|fd|wc|pwd|echo|printf|cd|jq|awk|sort|uniq|which|file|stat|tree|du|df|date|env|printenv|true|test|sleep|cut|tr|diff|xxd|for \w+ in|do|done|while|if|fi|then|else|basename|dirname|[{}]|git (?:-C \S+ )?(?:status|for-each-ref|check-ignore|cat-file|merge-base|grep|stash list|log|diff|show|branch(?: -\S+)?$|rev-parse|remote|reflog|ls-files|ls-remote|ls-tree|blame|describe|config --get|fetch)|gh (?:api|pr view|issue view|run view|\w+ list)|npm (?:view|ls|list)|node -p)\b/;

/** Ledger items from the most to the least useful to somebody who has to go on. */
export function orderLedger(ledger: readonly LedgerItem[], { agentic }: { agentic: boolean }): LedgerItem[] {
  const fromEntry = new Map<string, number>();
  const scored = ledger
    .filter(({ kind }) => agentic || kind !== 'figure')
    .map((item, index) => {
      const age = (index + 1) / ledger.length;
      // The first line of an error says most; twenty more of the same run say little.
      const source = `${item.kind} ${item.entry}`;
      const before = fromEntry.get(source) ?? 0;
      fromEntry.set(source, before + 1);
      return { item, index, score: usefulness(item, age) + age - before * 0.5 };
    });
  return scored.sort((a, b) => b.score - a.score || b.index - a.index).map(({ item }) => item);
}

function usefulness({ kind, text }: LedgerItem, age: number): number {
  switch (kind) {
    case 'error':
      return age > 0.75 ? 3 : 1.4;
    case 'command':
      return onlyLooks(text) ? 0 : / → (?:exit [^0]|failed)/.test(text) ? 2 : 2.2;
    case 'url':
      return 1.6;
    case 'identifier':
      return 1.2;
    case 'figure':
      return 0.4;
    default:
      return 1;
  }
}

function onlyLooks(command: string): boolean {
  const plain = command
    .replace(/ → (?:exit -?\d+|failed)$/, '')
    .replace(/"[^"]*(?:"|$)|'[^']*(?:'|$)/g, "''");
  if (/[^-=]>{1,2}\s*[^&\s/]/.test(plain.replace(/2>\s*\/dev\/null|2>&1/g, ''))) return false;
  return plain
    .split(/&&|\|\||[;|]/)
    .map((segment) => segment.trim().replace(/^(?:\w+=\S* )+/, ''))
    .every((segment) => segment === '' || LOOKING.test(segment));
}

const CHANGES = new Set(['written', 'edited', 'created', 'deleted', 'moved']);

/** Changed files first, newest first; then what was read. What was only searched can be searched again. */
export function orderFiles(files: readonly SummaryFile[]): SummaryFile[] {
  const newest = files
    .filter(({ operations }) => operations.some((name) => name !== 'searched'))
    .toReversed();
  const changed = newest.filter(({ operations }) => operations.some((name) => CHANGES.has(name)));
  return [...changed, ...newest.filter((file) => !changed.includes(file))];
}
