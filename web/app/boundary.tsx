import { Component, type ReactNode } from 'react';

/** Keeps a fault where it is: one message that cannot be drawn does not take the others with it. */
export class Boundary extends Component<{ what: string; children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <p className="problem" role="alert">
        {this.props.what} cannot be shown: {error.message}. It is kept as it is; reload the page to try again.
      </p>
    );
  }
}
