import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { Icon } from '../app/icon.tsx';

export interface ComposerProps {
  /** What it is written for: an unsent message waits there until one comes back. */
  readonly draft: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly running: boolean;
  /** What keeps one from writing here, in words. */
  readonly blocked: string | undefined;
  readonly children: React.ReactNode;
  onSend(text: string): void;
  /** Hands the text in to the answer that is being written. */
  onAdd(text: string): void;
  onStop(): void;
}

const drafts = new Map<string, string>();

/**
 * Where one writes. Enter sends, Shift+Enter begins a line. While an answer is written, a message that is sent is answered
 * next, and Ctrl+Enter adds it to that answer.
 */
export function Composer({ draft, field, running, blocked, children, ...on }: ComposerProps) {
  const [text, setText] = useState(() => drafts.get(draft) ?? '');
  const empty = text.trim() === '';

  useEffect(() => {
    drafts.set(draft, text);
  }, [draft, text]);

  // The text is what makes it taller.
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, 240)}px`;
  }, [text, field]);

  function send(how: (text: string) => void = on.onSend): void {
    if (empty || blocked !== undefined) return;
    how(text.trim());
    setText('');
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes, Enter chooses a word.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send(running && (event.ctrlKey || event.metaKey) ? on.onAdd : on.onSend);
    } else if (event.key === 'Escape' && running) {
      event.preventDefault();
      on.onStop();
    } else if (event.key === 'Escape') field.current?.blur();
  }

  return (
    <form
      className="composer"
      aria-label="Write"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="composer-box">
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-label="Message"
          placeholder={blocked ?? 'Write a message'}
          disabled={blocked !== undefined}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="composer-tools">
          {children}
          <span className="note composer-hint" aria-hidden="true">
            {blocked === undefined && (running ? 'Esc stops' : 'Enter sends')}
          </span>
          {running && (
            <button type="button" className="button" onClick={on.onStop}>
              <Icon name="stop" />
              <span className="stop-word">Stop</span>
            </button>
          )}
          {running && !empty && (
            <button
              type="button"
              className="button"
              title="The model reads it at its next step (Ctrl+Enter)"
              onClick={() => send(on.onAdd)}
            >
              Add to this answer
            </button>
          )}
          <button
            type="submit"
            className="button button-primary button-icon"
            title={running ? 'Send: answered next' : 'Send'}
            disabled={empty || blocked !== undefined}
          >
            <Icon name="send" />
            <span className="out-of-sight">Send</span>
          </button>
        </div>
      </div>
    </form>
  );
}
