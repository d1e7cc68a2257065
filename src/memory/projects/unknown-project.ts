import path from 'node:path';
import { findRoot, isFolder } from './find-root.ts';
import type { Project } from './project.ts';

/**
 * The folder as a project that is not written down yet. Its id is none that a log could have: a log of that name may well
 * be there, of a project that was in this folder before.
 */
export function unknownProject(root: string): Project {
  const name = path.basename(root) || root;
  return {
    id: `new ${root}`,
    name,
    folders: [{ path: root, linkedAt: 0 }],
    labels: [],
    createdAt: 0,
    updatedAt: 0,
    known: false,
  };
}

/** What sessions call their project, as one that is not written down yet: a folder they worked in, or any name. */
export function unknownLabel(label: string): Project {
  if (path.isAbsolute(label)) return unknownProject(isFolder(label) ? findRoot(label).root : label);
  return { ...unknownProject(label), name: label, folders: [], labels: [label] };
}
