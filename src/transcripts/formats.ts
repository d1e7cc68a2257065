import {
  isArmy,
  isChatGpt,
  isClaudeCode,
  isCodex,
  isCopilot,
  isDagent,
  isEcp,
  isGemini,
  isMarkdown,
  isOpencode,
  isPi,
  isThroughline,
  type Sample,
} from './detect/tell-formats.ts';
import type { Reader, Writer } from './transcript.ts';

/** A kind of transcript. Readers and writers are loaded when they are needed. */
export interface Format {
  readonly name: FormatName;
  /** Whose it is, for people. */
  readonly agent: string;
  /** Whether a file is one, by how it begins. */
  readonly detect: (sample: Sample) => boolean;
  readonly reader: () => Promise<Reader>;
  readonly writer?: () => Promise<Writer>;
  /** Written with everything that was forked; otherwise one line of conversation. */
  readonly branches?: true;
  /** Grows at its end, so that it can be followed. Others are written anew each time. */
  readonly grows?: true;
}

export const FORMAT_NAMES = [
  'throughline',
  'claude-code',
  'pi',
  'codex',
  'markdown',
  'dagent',
  'army',
  'opencode',
  'gemini',
  'chatgpt',
  'copilot',
  'ecp',
] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** In the order in which they are tried on an unknown file: certain formats come first. */
export const FORMATS: readonly Format[] = [
  {
    name: 'throughline',
    agent: 'Throughline',
    detect: isThroughline,
    reader: async () => (await import('./formats/throughline/read.ts')).readThroughline,
    writer: async () => (await import('./formats/throughline/write.ts')).writeThroughline,
    branches: true,
    grows: true,
  },
  {
    name: 'claude-code',
    agent: 'Claude Code',
    detect: isClaudeCode,
    reader: async () => (await import('./formats/claude-code/read.ts')).readClaudeCode,
    writer: async () => (await import('./formats/claude-code/write.ts')).writeClaudeCode,
    branches: true,
    grows: true,
  },
  {
    name: 'codex',
    agent: 'Codex',
    detect: isCodex,
    reader: async () => (await import('./formats/codex/read.ts')).readCodex,
    writer: async () => (await import('./formats/codex/write.ts')).writeCodex,
    branches: true,
    grows: true,
  },
  {
    name: 'pi',
    agent: 'pi',
    detect: isPi,
    reader: async () => (await import('./formats/pi/read.ts')).readPi,
    writer: async () => (await import('./formats/pi/write.ts')).writePi,
    branches: true,
    grows: true,
  },
  {
    name: 'copilot',
    agent: 'GitHub Copilot',
    detect: isCopilot,
    reader: async () => (await import('./formats/copilot/read.ts')).readCopilot,
    grows: true,
  },
  {
    name: 'gemini',
    agent: 'Gemini CLI',
    detect: isGemini,
    reader: async () => (await import('./formats/gemini/read.ts')).readGemini,
  },
  {
    name: 'opencode',
    agent: 'opencode',
    detect: isOpencode,
    reader: async () => (await import('./formats/opencode/read.ts')).readOpencode,
  },
  {
    name: 'chatgpt',
    agent: 'ChatGPT',
    detect: isChatGpt,
    reader: async () => (await import('./formats/chatgpt/read.ts')).readChatGpt,
  },
  {
    name: 'ecp',
    agent: 'Ultra',
    detect: isEcp,
    reader: async () => (await import('./formats/ecp/read.ts')).readEcp,
  },
  {
    name: 'dagent',
    agent: 'dagent',
    detect: isDagent,
    reader: async () => (await import('./formats/dagent/read.ts')).readDagent,
    writer: async () => (await import('./formats/dagent/write.ts')).writeDagent,
  },
  {
    name: 'army',
    agent: 'AIarmy',
    detect: isArmy,
    reader: async () => (await import('./formats/army/read.ts')).readArmy,
    writer: async () => (await import('./formats/army/write.ts')).writeArmy,
  },
  {
    name: 'markdown',
    agent: 'Basic Agent Chat Loop',
    detect: isMarkdown,
    reader: async () => (await import('./formats/markdown/read.ts')).readMarkdown,
    writer: async () => (await import('./formats/markdown/write.ts')).writeMarkdown,
  },
];

export function formatNamed(name: FormatName): Format {
  return FORMATS.find((format) => format.name === name)!;
}

/** Formats that sessions can be written in. */
export const WRITABLE: readonly FormatName[] = FORMATS.filter(({ writer }) => writer).map(({ name }) => name);
