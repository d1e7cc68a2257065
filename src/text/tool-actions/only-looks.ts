/** Programs that only look. A line made of nothing else can be run again at no cost, so it need not be remembered. */
const LOOKING =
  /^(?:sudo )?(?:ls|cat|head|tail|less|nl|sed -n|grep|egrep|rg|ag|find|fd|wc|pwd|echo|printf|cd|jq|awk|sort|uniq|which|file|stat|tree|du|df|date|env|printenv|true|test|sleep|cut|tr|diff|xxd|for \w+ in|do|done|while|if|fi|then|else|basename|dirname|[{}]|git (?:-C \S+ )?(?:status|for-each-ref|check-ignore|cat-file|merge-base|grep|stash list|log|diff|show|branch(?: -\S+)?$|rev-parse|remote|reflog|ls-files|ls-remote|ls-tree|blame|describe|config --get|fetch)|gh (?:api|pr view|issue view|run view|\w+ list)|npm (?:view|ls|list)|node -p)\b/;

const ASKS_FOR_HELP = /^[\w./ -]*? (?:--help|--version)$/;

/** Whether a command, as the ledger lists it, changes nothing: what it printed is a copy of what it looked at. */
export function onlyLooks(command: string): boolean {
  const plain = command
    .replace(/ → (?:exit -?\d+|failed)$/, '')
    .replace(/ -exec (?:echo|cat|head|grep|ls|wc)\b[^;]*\\;/g, '')
    .replace(/"[^"]*(?:"|$)|'[^']*(?:'|$)/g, "''");
  if (/[^-=]>{1,2}\s*[^&\s/]/.test(plain.replace(/2>\s*\/dev\/null|2>&1/g, ''))) return false;
  return plain
    .split(/&&|\|\||[;|]/)
    .map((segment) => segment.trim().replace(/^(?:\w+=\S* )+/, ''))
    .every((segment) => segment === '' || LOOKING.test(segment) || ASKS_FOR_HELP.test(segment));
}
