import { describe, expect, it } from 'vitest';
import { logOf, toolCall, toolResult } from '../../../src/testing/index.ts';
import { extractLedger } from '../../../src/text/ledger/extract-ledger.ts';

/** What the ledger tells about one call and, if given, its result. */
function tell(tool: string, input: unknown, output?: unknown, failed = false) {
  const call = toolCall(tool, input, { id: 'c' });
  const entries =
    output === undefined ? logOf(call) : logOf(call, toolResult(tool, output, { id: 'c', failed }));
  const { files, ledger } = extractLedger(entries);
  return {
    files: files.map(({ path, operations }) => `${path} ${operations.join(',')}`),
    commands: ledger.filter(({ kind }) => kind === 'command').map(({ text }) => text),
    of: (kind: string) => ledger.filter((item) => item.kind === kind).map(({ text }) => text),
  };
}

describe('files in the ledger', () => {
  it.each([
    ['Read', { file_path: '/repo/a.ts', offset: 3 }, '/repo/a.ts read'],
    ['Write', { file_path: '/repo/a.ts', content: 'x' }, '/repo/a.ts written'],
    ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, 'a.ts edited'],
    ['MultiEdit', { file_path: 'a.ts', edits: [] }, 'a.ts edited'],
    ['NotebookEdit', { notebook_path: 'n.ipynb', new_source: '' }, 'n.ipynb edited'],
    ['Grep', { pattern: 'x', path: 'src/lib' }, 'src/lib searched'],
    ['Glob', { pattern: '**/*.ts', path: '/repo' }, '/repo searched'],
    ['read', { path: 'README.md' }, 'README.md read'],
    ['write', { path: 'b.md', content: '' }, 'b.md written'],
    ['edit', { path: 'b.md', oldText: 'x', newText: 'y' }, 'b.md edited'],
    ['ls', { path: 'src/cmd' }, 'src/cmd searched'],
    ['edit', { filePath: '/p/c.ts', oldString: 'x', newString: 'y' }, '/p/c.ts edited'],
    ['read_file', { absolute_path: '/p/c.ts' }, '/p/c.ts read'],
    ['write_file', { file_path: 'd.md', content: '' }, 'd.md written'],
    ['replace', { file_path: 'd.md', old_string: '', new_string: '' }, 'd.md edited'],
    ['str_replace_editor', { command: 'create', path: 'e.py', file_text: '' }, 'e.py created'],
    ['str_replace_editor', { command: 'view', path: 'e.py' }, 'e.py read'],
    ['delete_file', { path: 'old.ts' }, 'old.ts deleted'],
    ['mcp__files__read_file', { path: 'f.ts' }, 'f.ts read'],
    ['some_unknown_tool', { path: 'g.ts' }, 'g.ts used'],
    ['save_report', { filename: 'h.md' }, 'h.md written'],
  ])('%s %j is shown as "%s"', (tool, input, told) => {
    expect(tell(tool, input).files).toEqual([told]);
  });

  it('knows a written file as created when the tool says so', () => {
    expect(tell('Write', { file_path: 'a.ts' }, 'File created successfully at: a.ts').files).toEqual([
      'a.ts created',
    ]);
  });

  it('does not list a file that a refused call would have changed', () => {
    expect(tell('Edit', { file_path: 'a.ts' }, 'String to replace not found in file.', true)).toMatchObject({
      files: [],
    });
  });

  it('lists a call whose result never came', () => {
    expect(tell('Edit', { file_path: 'a.ts' }).files).toEqual(['a.ts edited']);
  });

  it.each([
    ['*** Begin Patch\n*** Add File: n.ts\n+x\n*** End Patch', ['n.ts created']],
    ['*** Begin Patch\n*** Update File: u.ts\n@@\n-x\n+y\n*** End Patch', ['u.ts edited']],
    ['*** Begin Patch\n*** Delete File: d.ts\n*** End Patch', ['d.ts deleted']],
    [
      '*** Begin Patch\n*** Update File: m.ts\n*** Move to: k.ts\n*** End Patch',
      ['m.ts moved', 'k.ts moved'],
    ],
    ['--- a/u.ts\n+++ b/u.ts\n@@ -1 +1 @@\n-x\n+y', ['u.ts edited']],
    ['--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+x', ['n.ts created']],
  ])('reads a patch: %j', (patch, told) => {
    expect(tell('apply_patch', patch).files).toEqual(told);
    expect(tell('apply_patch', { input: patch }).files).toEqual(told);
  });
});

describe('commands in the ledger', () => {
  it.each([
    ['Bash', { command: 'npm test' }, 'npm test'],
    ['shell', { command: ['bash', '-lc', 'npm test'] }, 'npm test'],
    ['shell', { command: ['git', 'status'] }, 'git status'],
    ['shell_command', { command: 'ls -R', workdir: '/repo' }, 'ls -R'],
    ['exec_command', { cmd: 'go vet ./...' }, 'go vet ./...'],
    ['exec', 'const r = await tools.exec_command({"cmd":"gt submit"});\ntext(r.output);', 'gt submit'],
    ['run_shell_command', { command: 'make' }, 'make'],
    ['functions.shell', '{"command":["bash","-lc","make all"]}', 'make all'],
    ['bash', { command: "cat > f <<'EOF'\nmany\nlines\nEOF" }, "cat > f <<'EOF' …"],
  ])('%s %j ran "%s"', (tool, input, command) => {
    expect(tell(tool, input).commands).toEqual([command]);
  });

  it.each([
    ['Exit code: 2\nWall time: 0.1 seconds\nOutput:\nboom', false, 2],
    ['{"output":"","metadata":{"exit_code":127,"duration_seconds":0.0}}', false, 127],
    ['no such thing\n\nCommand exited with code 127', true, 127],
    ['Chunk ID: 1f\nProcess exited with code 0\nOutput:\nfine', false, 0],
    ['Exit code 1\nFAIL', true, 1],
    [{ stdout: 'x', exitCode: 3 }, false, 3],
  ])('%j (failed: %s) tells exit %i', (output, failed, code) => {
    expect(tell('bash', { command: 'x' }, output, failed).commands).toEqual([`x → exit ${code}`]);
  });

  it('says "failed" when only that is known, and nothing when nothing is', () => {
    expect(tell('bash', { command: 'x' }, 'killed', true).commands).toEqual(['x → failed']);
    expect(tell('bash', { command: 'x' }, 'fine').commands).toEqual(['x']);
  });

  it('lists a command once, with the newest outcome and entry', () => {
    const entries = logOf(
      toolCall('bash', { command: 'npm test' }, { id: '1' }),
      toolResult('bash', 'Exit code 1', { id: '1', failed: true }),
      toolCall('bash', { command: 'npm test' }, { id: '2' }),
      toolResult('bash', 'Exit code: 0', { id: '2' }),
    );
    const commands = extractLedger(entries).ledger.filter(({ kind }) => kind === 'command');
    expect(commands).toEqual([{ kind: 'command', text: 'npm test → exit 0', entry: entries[2]!.id }]);
  });

  it.each([
    ['cat src/a.ts | head -20', ['src/a.ts read']],
    ["sed -n '1,80p' src/a.ts", ['src/a.ts read']],
    ["sed -i '' 's/x/y/g' src/a.ts", ['src/a.ts edited']],
    ['rm -rf build/out', ['build/out deleted']],
    ['mv a.ts b.ts', ['a.ts moved', 'b.ts moved']],
    ['git mv a.ts b.ts', ['a.ts moved', 'b.ts moved']],
    ['cp a.ts b.ts', ['a.ts read', 'b.ts created']],
    ['mkdir -p src/new && touch src/new/x.ts', ['src/new created', 'src/new/x.ts created']],
    ['echo hi > out.txt 2>/dev/null', ['out.txt written']],
    ['cd pkg/app && cat main.go', ['pkg/app/main.go read']],
    ['grep -rn "needle" src/', ['src/ searched']],
    ['npm test 2>&1 | tee test.log', ['test.log written']],
    ["cat > n.ts <<'EOF'\nrm -rf everything\nEOF\necho ok", ['n.ts written']],
    ['for f in *.ts; do rm "$f"; done', []],
    ['# rm a.ts -> b.ts\necho done', []],
  ])('sees what "%s" does to files', (command, told) => {
    expect(tell('bash', { command }).files).toEqual(told);
  });
});

describe('to-dos in the ledger', () => {
  const todo = (content: string, status: string) => ({ content, status });

  it.each([
    ['TodoWrite', { todos: [todo('write', 'completed'), todo('test', 'in_progress')] }],
    ['todowrite', { todos: [{ ...todo('write', 'completed'), priority: 'high' }, todo('test', 'pending')] }],
    [
      'update_plan',
      {
        plan: [
          { step: 'write', status: 'completed' },
          { step: 'test', status: 'pending' },
        ],
      },
    ],
    ['write_todos', { todos: [{ description: 'write', status: 'completed' }, { description: 'test' }] }],
  ])('%s: the newest list counts', (tool, input) => {
    const told = tell(tool, input);
    expect(told.of('done')).toEqual(['write']);
    expect(told.of('todo')).toEqual(['test']);
  });

  it('forgets an open one that a later list has dropped, and keeps done ones', () => {
    const lists = [[todo('a', 'completed'), todo('b', 'pending')], [todo('c', 'pending')]].map(
      (todos, index) => toolCall('TodoWrite', { todos }, { id: `${index}` }),
    );
    const { ledger } = extractLedger(logOf(...lists));
    expect(ledger.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['done a', 'todo c']);
  });

  it('follows to-dos of the session itself by their id', () => {
    const state = (text: string, status: 'pending' | 'completed' | 'removed', id = '1') =>
      ({ kind: 'todo', id, text, status }) as const;
    const { ledger } = extractLedger(
      logOf(
        state('first words', 'pending'),
        state('better words', 'completed'),
        state('gone', 'removed', '2'),
      ),
    );
    expect(ledger.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['done better words']);
  });
});
