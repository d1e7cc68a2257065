import type { Json, JsonObject } from '../record/index.ts';

// What the AI SDK calls a ModelMessage, as far as a built context uses it: written down here so that building one needs no
// SDK, and checked against the SDK's own types in the tests.

type ProviderOptions = Record<string, JsonObject>;

interface TextPart {
  type: 'text';
  text: string;
  providerOptions?: ProviderOptions;
}

type FileData =
  | { type: 'data'; data: string }
  | { type: 'url'; url: URL }
  | { type: 'reference'; reference: Record<string, string> }
  | { type: 'text'; text: string };

interface FilePart {
  type: 'file';
  data: FileData | string | URL | Record<string, string>;
  mediaType: string;
  filename?: string;
  providerOptions?: ProviderOptions;
}

interface ImagePart {
  type: 'image';
  image: string | URL | Record<string, string>;
  mediaType?: string;
  providerOptions?: ProviderOptions;
}

interface ReasoningPart {
  type: 'reasoning';
  text: string;
  providerOptions?: ProviderOptions;
}

interface ReasoningFilePart {
  type: 'reasoning-file';
  data: { type: 'data'; data: string } | { type: 'url'; url: URL } | string | URL;
  mediaType: string;
  providerOptions?: ProviderOptions;
}

interface CustomPart {
  type: 'custom';
  kind: `${string}.${string}`;
  providerOptions?: ProviderOptions;
}

interface ToolCallPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerExecuted?: boolean;
  providerOptions?: ProviderOptions;
}

type ToolOutput =
  | { type: 'text' | 'error-text'; value: string; providerOptions?: ProviderOptions }
  | { type: 'json' | 'error-json'; value: Json; providerOptions?: ProviderOptions }
  | { type: 'execution-denied'; reason?: string; providerOptions?: ProviderOptions }
  | {
      type: 'content';
      value: (
        | { type: 'text'; text: string; providerOptions?: ProviderOptions }
        | {
            type: 'file';
            data: FileData;
            mediaType: string;
            filename?: string;
            providerOptions?: ProviderOptions;
          }
      )[];
    };

interface ToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: ToolOutput;
  providerOptions?: ProviderOptions;
}

/** One message of a request, as the AI SDK takes it. */
export type ContextMessage =
  | { role: 'user'; content: (TextPart | FilePart | ImagePart)[] }
  | {
      role: 'assistant';
      content: (
        | TextPart
        | FilePart
        | ReasoningPart
        | ReasoningFilePart
        | CustomPart
        | ToolCallPart
        | ToolResultPart
      )[];
    }
  | { role: 'tool'; content: ToolResultPart[] };
