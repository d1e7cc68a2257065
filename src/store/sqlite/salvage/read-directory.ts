import { isSessionId, type SessionId } from '../../../record/index.ts';
import { isInteger, isText, readColumns, readInteger, readText } from './decode-record.ts';
import type { Source } from './open-source.ts';
import { recogniseCell } from './recognise-cell.ts';
import type { Schema } from './table-shapes.ts';
import { walkTree } from './walk-tree.ts';

/** What the trees, as far as they hold together, say about which sessions there are. */
export interface Directory {
  /** Session ids by key, from their index: the name of a session whose row is lost. */
  readonly names: ReadonlyMap<number, SessionId>;
  /** Every session row can be reached, so a session that has none was purged. */
  readonly complete: boolean;
}

const SESSION_IDS = 'sqlite_autoindex_sessions_1';

export function readDirectory(source: Source, schema: Schema): Directory {
  const roots = readRoots(source) ?? schema.roots;
  const names = new Map<number, SessionId>();
  for (const [id, key] of pairs(source, roots.get(SESSION_IDS))) if (isSessionId(id)) names.set(key, id);
  let rows = 0;
  let strange = 0;
  const whole = walkTree(source, roots.get('sessions') ?? 0, ({ kind, cells }, bytes) => {
    for (const cell of kind === 'table-leaf' ? cells : []) {
      if (recogniseCell(bytes, cell, schema.tables)?.shape.name === 'sessions') rows++;
      else strange++;
    }
  });
  return { names, complete: whole && strange === 0 && rows >= names.size };
}

/** The root pages as the file itself lists them, on its first page. */
function readRoots(source: Source): Map<string, number> | undefined {
  const roots = new Map<string, number>();
  const whole = walkTree(source, 1, ({ cells }, bytes) => {
    for (const { payload } of cells) {
      if (!payload) continue;
      const record = bytes.subarray(payload.start, payload.start + payload.local);
      const columns = readColumns(record, payload.length);
      if (columns?.length !== 5 || !isText(columns[1]!) || !isInteger(columns[3]!)) continue;
      roots.set(readText(record, columns[1]!), readInteger(record, columns[3]!));
    }
  });
  return whole && roots.has('sessions') ? roots : undefined;
}

function pairs(source: Source, root: number | undefined): [string, number][] {
  const found: [string, number][] = [];
  walkTree(source, root ?? 0, ({ kind, cells, whole }, bytes) => {
    if (!whole || (kind !== 'index-leaf' && kind !== 'index-interior')) return;
    for (const { payload } of cells) {
      if (!payload || payload.local < payload.length) continue;
      const record = bytes.subarray(payload.start, payload.start + payload.length);
      const columns = readColumns(record, payload.length);
      if (columns?.length !== 2 || !isText(columns[0]!) || !isInteger(columns[1]!)) continue;
      found.push([readText(record, columns[0]!), readInteger(record, columns[1]!)]);
    }
  });
  return found;
}
