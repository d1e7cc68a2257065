import { type RefObject, useState } from 'react';
import { Icon } from '../app/icon.tsx';
import { useMayWrite } from '../app/may-write.ts';
import { ThemeButton } from '../app/theme-button.tsx';
import { SearchResults } from './search-results.tsx';
import { SessionFilters } from './session-filters.tsx';
import { SessionList } from './session-list.tsx';

export interface SidebarProps {
  readonly current: string | undefined;
  readonly searchField: RefObject<HTMLInputElement | null>;
  /** Whether the server keeps features and tasks. */
  readonly hasWork: boolean;
  readonly atWork: boolean;
  onNew(): void;
  onHelp(): void;
}

export function Sidebar({ current, searchField, hasWork, atWork, onNew, onHelp }: SidebarProps) {
  const [query, setQuery] = useState('');
  const mayWrite = useMayWrite();
  const asked = query.trim();
  return (
    <>
      <header className="sidebar-head">
        <a className="brand" href="#/">
          <img src="./icon.svg" alt="" width="20" height="20" />
          Throughline
        </a>
        <ThemeButton />
        <button
          type="button"
          className="button button-plain button-icon"
          title="Keyboard shortcuts"
          onClick={onHelp}
        >
          <Icon name="keyboard" />
          <span className="out-of-sight">Keyboard shortcuts</span>
        </button>
      </header>
      {hasWork && (
        <nav className="places" aria-label="Places">
          <a href="#/" aria-current={atWork ? undefined : 'page'}>
            Sessions
          </a>
          <a href="#/work" aria-current={atWork ? 'page' : undefined}>
            Work
          </a>
        </nav>
      )}
      <div className="sidebar-tools">
        {mayWrite && (
          <button type="button" className="button" onClick={onNew}>
            <Icon name="plus" />
            New session
          </button>
        )}
        <search>
          <label className="search-box">
            <Icon name="search" />
            <span className="out-of-sight">Search everything that was said</span>
            <input
              ref={searchField}
              type="search"
              className="field"
              placeholder="Search everything said"
              value={query}
              onChange={({ target }) => setQuery(target.value)}
              onKeyDown={({ key }) => key === 'Escape' && setQuery('')}
            />
            {query === '' && <kbd>/</kbd>}
          </label>
        </search>
        {asked === '' && <SessionFilters />}
      </div>
      <div className="sidebar-list scroller">
        {asked === '' ? <SessionList current={current} /> : <SearchResults query={asked} />}
      </div>
    </>
  );
}
