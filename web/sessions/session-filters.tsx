import { useWatched } from '../connection/watched.ts';
import { listedSessions, type Place } from './listed-sessions.ts';

const PLACES: Record<Place, string> = { active: 'Active', archived: 'Archived', trashed: 'Trash' };

/** What the list is narrowed to: a project, tags, the archive. The number of hidden sessions is always in sight. */
export function SessionFilters() {
  const { filter, tags, projects } = useWatched(listedSessions.state);
  const named = projects.filter(({ sessions }) => sessions > 0);
  return (
    <div className="filters">
      <div className="filter-row">
        {named.length > 0 && (
          <label>
            <span className="out-of-sight">Project</span>
            <select
              className="select"
              value={filter.project ?? ''}
              onChange={({ target }) => listedSessions.filter({ project: target.value || undefined })}
            >
              <option value="">All projects</option>
              {named.map(({ id, name, sessions, labels, folder, known }) => (
                // Of one that nothing is written down about, the id is not one to ask by.
                <option key={id} value={known ? id : (labels[0] ?? folder ?? id)}>
                  {name} ({sessions})
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <span className="out-of-sight">Place</span>
          <select
            className="select"
            value={filter.place}
            onChange={({ target }) => listedSessions.filter({ place: target.value as Place })}
          >
            {Object.entries(PLACES).map(([place, label]) => (
              <option key={place} value={place}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {tags.length > 0 && (
        <fieldset className="tag-filter">
          <legend className="out-of-sight">Tags</legend>
          {tags.slice(0, 12).map(({ tag, sessions }) => (
            <button
              key={tag}
              type="button"
              className="chip"
              aria-pressed={filter.tag === tag}
              onClick={() => listedSessions.filter({ tag: filter.tag === tag ? undefined : tag })}
            >
              <span>{tag}</span>
              <span className="note">{sessions}</span>
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}
