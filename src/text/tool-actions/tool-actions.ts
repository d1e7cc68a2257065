import { inputFieldsOf, pieceTextOf } from './read-pieces.ts';
import { shellFiles } from './shell-files.ts';

export type FileOperation =
  | 'read'
  | 'written'
  | 'edited'
  | 'created'
  | 'deleted'
  | 'moved'
  | 'searched'
  | 'used';

export interface FileAction {
  readonly path: string;
  readonly operation: FileOperation;
}

export interface TodoState {
  readonly text: string;
  readonly done: boolean;
}

/** What a tool call sets out to do, in terms that all agents share. */
export interface ToolActions {
  readonly files: readonly FileAction[];
  readonly commands: readonly string[];
  readonly urls: readonly string[];
  /** The whole list as it is from now on, when the call writes one. */
  readonly todos?: readonly TodoState[];
}

// What the usual agents call their tools, once prefixes are gone and letters are small.
const OPERATIONS: Readonly<Record<string, FileOperation>> = {
  ...named(
    'read',
    'read read_file readfile view view_file open_file cat notebookread read_many_files fs_read',
  ),
  ...named('written', 'write write_file writefile fs_write save_file write_to_file'),
  ...named('created', 'create_file create new_file'),
  ...named(
    'edited',
    'edit multiedit multi_edit edit_file replace replace_in_file str_replace str_replace_editor search_replace notebookedit notebook_edit apply_diff insert_edit_into_file str_replace_based_edit_tool patch',
  ),
  ...named('deleted', 'delete_file remove_file delete'),
  ...named('moved', 'move_file rename_file move rename'),
  ...named(
    'searched',
    'grep glob search find ls list list_dir list_directory list_files search_file_content codebase_search grep_search file_search multi_grep search_files rg',
  ),
};

const SHELLS = new Set(
  'bash shell shell_command exec exec_command run_shell_command run_command execute_command terminal local_shell run_terminal_cmd run_in_terminal container.exec powershell sh cmd bash_execution'.split(
    ' ',
  ),
);
const TODO_TOOLS = /^(?:todo_?write|write_todos?|update_plan|todo|todos|manage_todo_list|update_todo_list)$/;
const PATHS = [
  'path',
  'file_path',
  'filePath',
  'absolute_path',
  'notebook_path',
  'target_file',
  'filename',
  'file',
  'relative_path',
  'source',
  'old_path',
  'destination',
  'new_path',
] as const;

export function isShell(tool: string): boolean {
  return SHELLS.has(tool);
}

/** True for tools whose output is a copy of files, which can be had again from the files. */
export function readsFiles(tool: string): boolean {
  const operation = OPERATIONS[tool];
  return operation === 'read' || operation === 'searched';
}

export function toolActions(tool: string, input: unknown): ToolActions {
  const fields = inputFieldsOf(input);
  if (TODO_TOOLS.test(tool)) return { ...NOTHING, todos: todosIn(fields) };
  if (tool === 'apply_patch' || isPatch(input)) return { ...NOTHING, files: patchFiles(patchText(input)) };
  if (SHELLS.has(tool)) return shellActions(input);
  const urls = typeof fields.url === 'string' ? [fields.url] : [];
  return { ...NOTHING, urls, files: fileActions(tool, fields) };
}

const NOTHING: ToolActions = { files: [], commands: [], urls: [] };

function fileActions(tool: string, fields: Record<string, unknown>): FileAction[] {
  const operation = editorCommand(fields) ?? OPERATIONS[tool] ?? guess(tool);
  const named = PATHS.map((name) => fields[name]);
  const listed = [fields.paths, fields.files].flatMap((list) =>
    Array.isArray(list) ? list.slice(0, 50) : [],
  );
  return [...named, ...listed]
    .map((path) => (typeof path === 'string' ? path : inputFieldsOf(path).path))
    .filter(isPath)
    .map((path) => ({ path: path.trim(), operation }));
}

/** One tool with a `command` field does all four things in some agents. */
function editorCommand({ command }: Record<string, unknown>): FileOperation | undefined {
  switch (command) {
    case 'view':
      return 'read';
    case 'create':
      return 'created';
    case 'str_replace':
    case 'insert':
    case 'undo_edit':
      return 'edited';
    default:
      return undefined;
  }
}

function guess(tool: string): FileOperation {
  if (/delete|remove/.test(tool)) return 'deleted';
  if (/move|rename/.test(tool)) return 'moved';
  if (/edit|replace|patch|update|insert|append/.test(tool)) return 'edited';
  if (/create|new_/.test(tool)) return 'created';
  if (/write|save/.test(tool)) return 'written';
  if (/search|grep|glob|find|list/.test(tool)) return 'searched';
  return /read|view|open|get/.test(tool) ? 'read' : 'used';
}

function isPath(path: unknown): path is string {
  return (
    typeof path === 'string' && path.length < 1000 && /[^\s.]/.test(path) && !/[\n\r]|^\w+:\/\//.test(path)
  );
}

function shellActions(input: unknown): ToolActions {
  const commands = commandsIn(input);
  const todos = typeof input === 'string' ? plannedIn(input) : undefined;
  const patches = commands.filter(isPatch);
  const plain = commands.filter((command) => !isPatch(command));
  return {
    ...NOTHING,
    ...(todos && { todos }),
    commands: plain,
    files: [
      ...patches.flatMap((patch) => patchFiles(patch)),
      ...plain.flatMap((command) => shellFiles(command)),
    ],
  };
}

function commandsIn(input: unknown): string[] {
  if (typeof input === 'string') return scripted(input);
  const { command, cmd, script, commands, code } = inputFieldsOf(input);
  const told = command ?? cmd ?? script ?? commands ?? code;
  if (typeof told === 'string') return [told];
  if (!Array.isArray(told)) return [];
  const words = told.filter((word) => typeof word === 'string');
  const [shell = '', flag = '', line] = words;
  if (/(?:^|\/)(?:ba|z|da)?sh$|powershell|^cmd/.test(shell) && flag.startsWith('-') && line) return [line];
  return words.length > 0 ? [words.join(' ')] : [];
}

/** A script that calls tools (`tools.exec_command({"cmd": "…"})`) holds its commands as JSON strings. */
function scripted(source: string): string[] {
  const inside = [...source.matchAll(/"?\b(?:cmd|command)"?\s*:\s*("(?:[^"\\\n]|\\.)*")/g)].flatMap(
    ([, text]) => {
      try {
        return [String(JSON.parse(text!))];
      } catch {
        return [];
      }
    },
  );
  return inside.length > 0 || /\btools\.\w+\(/.test(source) ? inside : [source];
}

/** The plan that this script writes: `tools.update_plan({plan: [{step: "…", status: "pending"}]})`. */
function plannedIn(source: string): TodoState[] | undefined {
  const at = source.search(/\btools\.update_plan\(/);
  if (at < 0) return undefined;
  const steps = source
    .slice(at)
    .matchAll(/"?\bstep"?\s*:\s*"((?:[^"\\\n]|\\.)*)"\s*,\s*"?status"?\s*:\s*"(\w+)"/g);
  return [...steps].map(([, text, status]) => ({ text: text!, done: status === 'completed' }));
}

function isPatch(input: unknown): boolean {
  return typeof input === 'string' && input.includes('*** Begin Patch');
}

function patchText(input: unknown): string {
  if (typeof input === 'string') return input;
  const { input: text, patch, patchText: body } = inputFieldsOf(input);
  return pieceTextOf(text ?? patch ?? body ?? input);
}

function todosIn({ todos, plan, items, todoList }: Record<string, unknown>): TodoState[] {
  const list = [todos, plan, items, todoList].find((value) => Array.isArray(value));
  return (Array.isArray(list) ? list.slice(0, 200) : []).flatMap((item) => {
    const { content, step, description, text, title, task, status, completed } = inputFieldsOf(item);
    const words = [content, step, description, text, title, task, item].find(
      (value) => typeof value === 'string',
    );
    if (typeof words !== 'string' || !words.trim() || status === 'cancelled') return [];
    return [{ text: words.trim(), done: /^(?:completed|done)$/.test(String(status)) || completed === true }];
  });
}

function named(operation: FileOperation, names: string): Record<string, FileOperation> {
  return Object.fromEntries(names.split(' ').map((name) => [name, operation]));
}

const LINE = /^(?:\*\*\* (Add File|Update File|Delete File|Move to): |(\+\+\+|---) (?:[ab]\/)?)(.*)$/gm;

/** The files a patch changes: in the `*** Begin Patch` form, or as a unified diff. */
function patchFiles(patch: string): FileAction[] {
  const files: FileAction[] = [];
  let removed = '';
  for (const [, verb, side, name = ''] of patch.matchAll(LINE)) {
    const path = name.trim();
    switch (verb ?? side) {
      case 'Add File':
        files.push({ path, operation: 'created' });
        break;
      case 'Update File':
        files.push({ path, operation: 'edited' });
        break;
      case 'Delete File':
        files.push({ path, operation: 'deleted' });
        break;
      case 'Move to': {
        const from = files.pop();
        if (from) files.push({ path: from.path, operation: 'moved' });
        files.push({ path, operation: 'moved' });
        break;
      }
      case '---':
        removed = path;
        break;
      case '+++':
        if (removed) files.push(unified(removed, path));
        removed = '';
        break;
    }
  }
  return files;
}

function unified(before: string, after: string): FileAction {
  if (before === '/dev/null') return { path: after, operation: 'created' };
  return after === '/dev/null'
    ? { path: before, operation: 'deleted' }
    : { path: after, operation: 'edited' };
}
