import { readFileSync } from 'node:fs';
import { build } from 'rolldown';

// Node takes almost a millisecond to load a file, and there are hundreds: read one by one they would be most of the time
// that a command takes. So each door is built into a few large files, with the two small packages that all of them need.
const INLINED = ['zod', 'commander'];

/** Every command and the library need nearly all of these, so they are one file instead of thirty. */
const CORE =
  /node_modules\/zod\/|src\/(?:errors|package-file)\.ts|src\/(?:record|session|store|text|tokens)\/(?!sqlite\/)/;

await build({
  input: {
    index: 'src/index.ts',
    'store/sqlite/index': 'src/store/sqlite/index.ts',
    'rpc/index': 'src/rpc/index.ts',
    'operations/contexts/context-worker': 'src/operations/contexts/context-worker.ts',
    'archive/index': 'src/archive/index.ts',
    'scrub/index': 'src/scrub/index.ts',
    'shorten/index': 'src/shorten/index.ts',
    'testing/index': 'src/testing/index.ts',
    'cli/main': 'src/cli/main.ts',
  },
  platform: 'node',
  external: (id) => /^[@a-z]/.test(id) && !INLINED.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [ process.env.MARK ? { name:'mark', transform(code,id){ if(!/\/src\/|zod/.test(id)) return; const s=id.replace(/.*\/(src|node_modules)\//,''); return {code: code.replace(/^(?=(?:export )?(?:const|let|var|function|class|async function) )/m, `(globalThis.__t??=[]).push([${JSON.stringify(s)},performance.now()]);\n`), map:null, moduleSideEffects:false}; } } : {name:'n'},
    { name: 'licences', generateBundle: emitLicences },
    { name: 'bare-imports', generateBundle: dropBareImports },
  ],
  output: {
    dir: process.env.OUT ?? 'dist',
    chunkFileNames: 'chunks/[name].js',
    comments: { legal: true },
    codeSplitting: { groups: [{ name: 'core', test: CORE }] },
  },
});

/** Whoever passes on a package has to pass on its licence. */
function emitLicences() {
  const texts = INLINED.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`);
  this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source: texts.join('\n---\n\n') });
}

/**
 * No module here does anything when it is loaded (`sideEffects` in package.json), so a chunk that is imported without a name
 * is loaded for nothing. `throughline context` loaded the server that way.
 */
function dropBareImports(_, bundle) {
  for (const chunk of Object.values(bundle)) { if (process.env.SIZES && chunk.type==='chunk') for (const [id,m] of Object.entries(chunk.modules)) console.log(chunk.fileName, m.renderedLength, id);
    if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/^import "\.[^"]+";\n/gm, '');
  }
}
