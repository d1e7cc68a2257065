import { useEffect, useState } from 'react';
import { OpenSession } from './open-session.ts';
import { Talk } from './talk.ts';

export interface Opened {
  readonly open: OpenSession;
  readonly talk: Talk;
}

/** The session of the address, opened while it is there; another entry of the same one is only gone to. */
export function useOpenSession(id: string, at: number | undefined): Opened {
  const [opened, setOpened] = useState(() => create(id));
  if (opened.open.id !== id) setOpened(create(id));
  // Another entry does not open the session anew.
  useEffect(() => {
    opened.open.open(at);
    return () => opened.open.close();
  }, [opened]);
  useEffect(() => {
    if (at !== undefined && opened.open.state.value.visit > 0) opened.open.goTo(at);
  }, [opened, at]);
  return opened;
}

function create(id: string): Opened {
  const open = new OpenSession(id);
  return { open, talk: new Talk(open) };
}
