import path from 'node:path';

const MAIN = 'faces/cli/main';
const STORE = 'store/sqlite/index';

/** What is loaded together: the modules that are entered for it, early or late. */
const LOADS = {
  start: [MAIN],
  help: [MAIN, 'faces/cli/commands/index'],
  look: [MAIN, 'faces/cli/commands/sessions', 'faces/cli/commands/show', 'operations/session/index', STORE],
  context: [MAIN, 'faces/cli/commands/context', 'operations/context/index', 'project/index', STORE],
  chat: [MAIN, 'faces/cli/commands/chat', 'faces/cli/chat/run-chat', 'agent/index', 'project/index', STORE],
  library: ['index'],
  store: [STORE],
};

/**
 * Parts the modules by the loads that need them, so that each reads no more code than it runs, and in few files: modules that are
 * needed by the same loads lie in one. Gives the name of a module's part; of a module that no load needs, or that is an
 * entry of the package, none.
 */
export async function partLoads(bundle) {
  // Built without parts, a chunk holds just what the same entries need.
  const { output } = await bundle.generate({ dir: 'dist' });
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const doors = new Set(output.filter(({ isEntry }) => isEntry).map(({ facadeModuleId }) => facadeModuleId));
  const parts = new Map();
  for (const [load, entries] of Object.entries(LOADS)) {
    for (const id of modulesOf(
      entries.flatMap((entry) => entered(chunks, entry)),
      chunks,
    )) {
      if (!doors.has(id) && !id.includes('?')) parts.set(id, [...(parts.get(id) ?? []), load]);
    }
  }
  return (id) => parts.get(id)?.join('-');
}

function entered(chunks, entry) {
  const file = path.resolve('src', `${entry}.ts`);
  const found = [...chunks.values()].filter(({ facadeModuleId }) => facadeModuleId?.split('?')[0] === file);
  if (found.length === 0) throw new Error(`${file} is no entry`);
  return found.map(({ fileName }) => fileName);
}

/** The modules of chunks and of all that they import by name; what is imported without one is dropped at the end. */
function modulesOf(files, chunks) {
  const found = new Set(files);
  for (const file of found) {
    for (const [, next] of chunks.get(file).code.matchAll(/^(?:import|export) [^;"]*? from "(\.[^"]+)";/gm))
      found.add(path.posix.join(path.posix.dirname(file), next));
  }
  return [...found].flatMap((file) => Object.keys(chunks.get(file).modules));
}
