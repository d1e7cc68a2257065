import { CopyButton } from '../app/copy-button.tsx';

export function CodeBlock({ language, text }: { language: string; text: string }) {
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language || 'text'}</span>
        <CopyButton text={text} what="code" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide block is scrolled by keyboard. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
