import type { Part, Role, Usage } from '../../src/record/index.ts';

/** A message as the timeline shows it. */
export interface ShownMessage {
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly tokens: number;
  readonly status: 'complete' | 'interrupted';
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly pinned: boolean;
  readonly excluded: boolean;
  /** It was handed in to a turn that was running. */
  readonly steers: boolean;
}

/** A compaction as its card shows it. */
export interface ShownCompaction {
  readonly id: string;
  readonly level: number;
  readonly covers: { readonly from: number; readonly to: number };
  readonly children: readonly string[];
  readonly status: 'collapsed' | 'expanded' | 'covered';
  readonly by: { readonly kind: string; readonly model?: string | undefined };
  readonly retention: number;
  readonly messages: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly at: number;
  /** Markdown. */
  readonly summary: string;
}

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The message that asked for it; empty while that is being written. */
  readonly message: string;
  readonly result: ToolResult | undefined;
}

export interface ToolResult {
  readonly output: unknown;
  readonly failed: boolean;
  readonly message: string;
}

/** The entries behind a card, as far as they were loaded for reading. */
export interface Originals {
  readonly messages: readonly ShownMessage[];
  /** Whether there is more before and behind it. */
  readonly earlier: boolean;
  readonly more: boolean;
}
