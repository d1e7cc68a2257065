import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetInLists, keepLastList, readLastList } from '../../../src/faces/cli/last-list.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('the last list', () => {
  let folder: string;
  let store: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'throughline-list-'));
    store = path.join(folder, 'store.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the one that this shell saw', () => {
    keepLastList(store, ['a', 'b'], { shell: '1', now: 1 });
    keepLastList(store, ['c'], { shell: '2', now: 2 });
    expect(readLastList(store, { shell: '1' })).toEqual(['a', 'b']);
  });

  it('is the newest one for a shell that saw none', () => {
    keepLastList(store, ['c'], { shell: '2', now: 2 });
    keepLastList(store, ['a', 'b'], { shell: '1', now: 1 });
    expect(readLastList(store, { shell: '3' })).toEqual(['c']);
    expect(readLastList(store, { shell: '3', own: true })).toBeUndefined();
    expect(readLastList(store, { shell: '1', own: true })).toEqual(['a', 'b']);
  });

  it('is nothing before there was one, and after its file was damaged', () => {
    expect(readLastList(store)).toBeUndefined();
    writeFileSync(`${store}-lists.json`, '{"1":');
    expect(readLastList(store)).toBeUndefined();
    expect(keepLastList(store, ['a'])).toBe(true);
    expect(readLastList(store)).toEqual(['a']);
  });

  it('is forgotten after a week, and when there are many newer ones', () => {
    keepLastList(store, ['old'], { shell: 'old', now: 0 });
    keepLastList(store, ['new'], { shell: 'new', now: 8 * DAY });
    expect(readLastList(store, { shell: 'old' })).toEqual(['new']);
    for (let shell = 1; shell <= 60; shell++)
      keepLastList(store, [`s${shell}`], { shell: `${shell}`, now: 8 * DAY + shell });
    expect(readLastList(store, { shell: '10' })).toEqual(['s60']);
    expect(readLastList(store, { shell: '11' })).toEqual(['s11']);
  });

  it('keeps the other numbers when a session is purged', () => {
    keepLastList(store, ['a', 'b', 'c'], { shell: '1' });
    forgetInLists(store, ['b']);
    expect(readLastList(store, { shell: '1' })).toEqual(['a', '', 'c']);
  });

  it('is for its owner alone, and leaves no other file behind', () => {
    keepLastList(store, ['a']);
    keepLastList(store, ['b']);
    expect(readdirSync(folder)).toEqual(['store.db-lists.json']);
    if (process.platform !== 'win32') expect(statSync(`${store}-lists.json`).mode & 0o777).toBe(0o600);
  });

  it('says so when it cannot be kept', () => {
    expect(keepLastList(path.join(folder, 'no', 'such', 'folder.db'), ['a'])).toBe(false);
  });
});
