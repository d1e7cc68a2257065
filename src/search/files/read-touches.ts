import type { Entry, EntryId, Seq } from '../../record/index.ts';
import { piecesOfEntries, type Reading, toolActions } from '../../text/index.ts';

/** What a message's tool call did to a file. */
export interface Touch {
  readonly entry: EntryId;
  readonly seq: Seq;
  readonly at: number;
  /** As the call named it. */
  readonly path: string;
  /** `read`, `written`, `edited`, `created`, `deleted`, `moved`, `searched` or `used`. */
  readonly operation: string;
  readonly tool: string;
  /** What the user had asked for last. */
  readonly request?: FileRequest;
}

export interface FileRequest {
  readonly entry: EntryId;
  readonly text: string;
}

interface Call {
  readonly touches: readonly Touch[];
  /** A command has done what it did even if it failed. */
  readonly isCommand: boolean;
}

/** Reads entries in order, a page at a time, and collects what their tool calls did. What failed did not happen. */
export function createTouchReader({ request: asked }: { request?: FileRequest | undefined } = {}) {
  const open = new Map<string, Call>();
  const touches: Touch[] = [];
  let request = asked;

  return {
    read(entries: readonly Entry[]): void {
      for (const reading of piecesOfEntries(entries)) {
        const { id, seq, at } = reading.entry;
        request = requestIn(reading) ?? request;
        for (const piece of reading.pieces) {
          if (piece.kind === 'call') {
            const { files, commands } = toolActions(piece.tool, piece.input);
            const told = { entry: id, seq, at, tool: piece.tool, ...(request && { request }) };
            const call = {
              touches: files.map((file) => ({ ...told, ...file })),
              isCommand: commands.length > 0,
            };
            const unanswered = open.get(piece.id);
            if (unanswered) touches.push(...unanswered.touches);
            if (piece.id) open.set(piece.id, call);
            else touches.push(...call.touches);
          } else if (piece.kind === 'result') {
            const call = open.get(piece.id);
            open.delete(piece.id);
            if (call && (!piece.failed || call.isCommand)) touches.push(...settled(call, piece.text));
          }
        }
      }
    },
    /** Calls whose result has not come yet. */
    waiting: () => open.size,
    /** Everything so far, in the order of the calls; those without a result count as done. */
    end(): Touch[] {
      for (const { touches: left } of open.values()) touches.push(...left);
      open.clear();
      return touches.sort((a, b) => a.seq - b.seq);
    },
  };
}

/** What a user asked for in an entry, without what programs put around it. */
export function requestIn({ entry, pieces }: Reading): FileRequest | undefined {
  const said = pieces.flatMap((piece) =>
    piece.kind === 'said' && piece.role === 'user' ? [piece.text.trim()] : [],
  );
  const text = said.filter((words) => words !== '').join('\n');
  return text === '' ? undefined : { entry: entry.id, text };
}

/** Only the result tells whether writing made the file. */
function settled({ touches }: Call, result: string): Touch[] {
  const created = /\b(?:created|new file)\b/i.test(result.slice(0, 200));
  return touches.map((touch) =>
    touch.operation === 'written' && created ? { ...touch, operation: 'created' } : touch,
  );
}
