import { useEffect, useState } from 'react';
import { server } from '../connection/server.ts';
import { useWatched } from '../connection/watched.ts';
import { listedSessions } from '../sessions/listed-sessions.ts';

const KEY = 'throughline.work-project';
const MOST_ASKED = 20;

type Project = (typeof listedSessions.state.value.projects)[number];

export interface ProjectChoice {
  /** Those that something is written down about, the one used last first. */
  readonly projects: readonly Project[];
  readonly loaded: boolean;
  readonly project: Project | undefined;
  choose(id: string): void;
}

/** The project whose board is shown: the one that was chosen last, else the first that has a feature. */
export function useProject(): ProjectChoice {
  const { projects: all, loaded } = useWatched(listedSessions.state);
  const [chosen, setChosen] = useState(() => localStorage.getItem(KEY));
  const [found, setFound] = useState<string>();
  const projects = all.filter(({ known }) => known);
  const ids = projects.map(({ id }) => id).join(' ');
  const kept = projects.find(({ id }) => id === chosen);
  const looksFor = kept === undefined && found === undefined && projects.length > 0;

  useEffect(() => {
    if (!looksFor) return;
    let left = false;
    findBoard(ids.split(' ')).then((id) => !left && setFound(id));
    return () => {
      left = true;
    };
  }, [looksFor, ids]);

  return {
    projects,
    loaded: loaded && !looksFor,
    project: kept ?? projects.find(({ id }) => id === found),
    choose(id) {
      localStorage.setItem(KEY, id);
      setChosen(id);
    },
  };
}

async function findBoard(ids: readonly string[]): Promise<string | undefined> {
  for (const project of ids.slice(0, MOST_ASKED)) {
    const answer = await server.call('work/features', { project }).catch(() => undefined);
    if ((answer?.features.length ?? 0) > 0) return project;
  }
  return ids[0];
}
