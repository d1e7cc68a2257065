import type { ReactNode } from 'react';
import { sayFailure } from '../connection/say-failure.ts';

export interface DialogFormProps {
  /** What its button says. */
  readonly action: string;
  readonly disabled?: boolean;
  /** Why it did not work the last time. */
  readonly failure: unknown;
  /** Something else that can be done here, apart from the rest. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  onSubmit(): void;
  onCancel(): void;
}

/** What a dialog asks for, what went wrong with it, and the buttons that end it. */
export function DialogForm({ action, disabled, failure, aside, children, ...on }: DialogFormProps) {
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        on.onSubmit();
      }}
    >
      {children}
      {failure !== undefined && (
        <p className="problem" role="alert">
          {sayFailure(failure)}
        </p>
      )}
      <div className="dialog-actions">
        {aside}
        <button type="button" className="button" onClick={on.onCancel}>
          Cancel
        </button>
        <button type="submit" className="button button-primary" disabled={disabled}>
          {action}
        </button>
      </div>
    </form>
  );
}
