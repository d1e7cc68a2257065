import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, say] = useState<'copied' | 'not copied'>();
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(say, 1500, undefined);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say('copied'),
      () => say('not copied'),
    );
  return (
    <button type="button" className="button button-plain button-small" onClick={copy}>
      <Icon name={said === 'copied' ? 'check' : 'copy'} />
      <span className="out-of-sight">Copy {what}</span>
      <span role="status" className={said ? undefined : 'out-of-sight'}>
        {said === 'copied' ? 'Copied' : said ? 'The browser did not allow it' : ''}
      </span>
    </button>
  );
}
