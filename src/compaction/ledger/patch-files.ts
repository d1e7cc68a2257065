import type { FileAction } from './tool-actions.ts';

const LINE = /^(?:\*\*\* (Add File|Update File|Delete File|Move to): |(\+\+\+|---) (?:[ab]\/)?)(.*)$/gm;

/** The files a patch changes: in the `*** Begin Patch` form, or as a unified diff. */
export function patchFiles(patch: string): FileAction[] {
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
