import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { partLoads } from './part-loads.mjs';

// Node takes almost a millisecond to load a file, and there are hundreds: read one by one they would be most of the time
// that a command takes. So each door is built into a few large files, with the two small packages that all of them need.
const INLINED = ['zod', 'commander'];

const bundle = await rolldown({
  input: {
    index: 'src/index.ts',
    'store/sqlite/index': 'src/store/sqlite/index.ts',
    'faces/rpc/index': 'src/faces/rpc/index.ts',
    'operations/contexts/context-worker': 'src/operations/contexts/context-worker.ts',
    'transcripts/archive/index': 'src/transcripts/archive/index.ts',
    'transcripts/scrub/index': 'src/transcripts/scrub/index.ts',
    'transcripts/shorten/index': 'src/transcripts/shorten/index.ts',
    'testing/index': 'src/testing/index.ts',
    'faces/cli/main': 'src/faces/cli/main.ts',
  },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  external: (id) => /^[@a-z]/.test(id) && !INLINED.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [
    { name: 'licences', generateBundle: emitLicences },
    { name: 'late-doors', resolveId: openDoorLate, load: readDoor },
    { name: 'late-process', transform: loadProcessLate },
    { name: 'bare-imports', generateBundle: dropBareImports },
  ],
});
const partOf = await partLoads(bundle);
await bundle.write({
  dir: 'dist',
  chunkFileNames: 'chunks/[name].js',
  comments: { legal: true },
  codeSplitting: {
    groups: [
      {
        debugName: 'loads',
        name: partOf,
        test: (id) => partOf(id) !== undefined,
        includeDependenciesRecursively: false,
      },
    ],
  },
});

/** Whoever passes on a package has to pass on its licence. */
function emitLicences() {
  const texts = INLINED.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`);
  this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source: texts.join('\n---\n\n') });
}

/**
 * The entry of a module that is imported late somewhere would be loaded whole wherever one of its names is imported early: the
 * search index with every command, for the dates that it reads. So late imports get an entry of their own.
 */
async function openDoorLate(source, importer, { kind }) {
  if (kind !== 'dynamic-import' || !source.startsWith('.')) return null;
  const { id } = await this.resolve(source, importer, { skipSelf: true });
  return { id: `${id}?late`, moduleSideEffects: false };
}

function readDoor(id) {
  return id.endsWith('?late') ? `export * from ${JSON.stringify(id.slice(0, -'?late'.length))};` : null;
}

/**
 * Commander would load the module for commands that are files of their own, which there are none of here, and every part of
 * `node:process`, standard input among them, where the global does.
 */
function loadProcessLate(code, id) {
  if (!id.endsWith('/commander/lib/command.js')) return null;
  const instead = {
    "import childProcess from 'node:child_process';":
      "const childProcess = { spawn: (...args) => process.getBuiltinModule('node:child_process').spawn(...args) };",
    "import process from 'node:process';": '',
  };
  return Object.entries(instead).reduce((text, [line, other]) => {
    if (!text.includes(line)) throw new Error(`commander has no line ${line}`);
    return text.replace(line, other);
  }, code);
}

/**
 * No module here does anything when it is loaded (`sideEffects` in package.json), so a chunk that is imported without a name
 * is loaded for nothing. `throughline context` loaded the server that way.
 */
function dropBareImports(_, bundle) {
  for (const chunk of Object.values(bundle)) {
    if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/^import "\.[^"]+";\n/gm, '');
  }
}
