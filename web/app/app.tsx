import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ResultOf } from '../../src/faces/rpc/client/index.ts';
import { useModels } from '../chat/model-picker.tsx';
import { sayFailure } from '../connection/say-failure.ts';
import { server } from '../connection/server.ts';
import { useWatched } from '../connection/watched.ts';
import { SessionView } from '../session/session-view.tsx';
import { listedSessions } from '../sessions/listed-sessions.ts';
import { Sidebar } from '../sessions/sidebar.tsx';
import { WorkPlace } from '../work/work-place.tsx';
import { ConnectionBanner, Refused } from './connection-banner.tsx';
import { MayWriteContext } from './may-write.ts';
import { Notices, notify } from './notices.tsx';
import { goTo, readRoute, useHash } from './route.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { useShortcuts } from './shortcuts.ts';
import { usePanel } from './use-panel.ts';
import { Welcome } from './welcome.tsx';

export function App() {
  const link = useWatched(server.link);
  const { session, at, work } = readRoute(useHash());
  const atList = session === undefined && !work;
  const [menu, setMenu] = useState(false);
  const [help, setHelp] = useState(false);
  const [compacting, setCompacting] = useState(false);
  const [panel, setPanel] = usePanel();
  const searchField = useRef<HTMLInputElement>(null);
  const writeField = useRef<HTMLTextAreaElement>(null);
  const models = useModels();
  const info = useServerInfo();
  const mayWrite = info?.mayWrite !== false;

  const [begun, setBegun] = useState<string>();
  const start = useCallback(() => startSession().then(setBegun), []);
  // A new session begins with a message.
  useEffect(() => {
    if (begun !== undefined && begun === session) writeField.current?.focus();
  }, [begun, session]);

  useEffect(() => listedSessions.follow(), []);
  // Going somewhere closes the menu of a narrow screen.
  useEffect(() => setMenu(false), [session, at, work]);

  const actions = useMemo(
    () => ({
      search: () => {
        setMenu(true);
        // At once, because the next letter may be here before the next frame; and then, if it was out of sight.
        searchField.current?.focus();
        requestAnimationFrame(() => searchField.current?.focus());
      },
      ...(mayWrite && { new: start }),
      help: () => setHelp(true),
      write: () => writeField.current?.focus(),
      timeline: () => document.querySelector<HTMLElement>('.row[tabindex="0"]')?.focus(),
      ...(session !== undefined && {
        ...(mayWrite && { compact: () => setCompacting(true) }),
        context: () => setPanel('context'),
        checkpoint: () => setPanel('checkpoint'),
        lineage: () => setPanel('lineage'),
      }),
    }),
    [session, mayWrite, setPanel, start],
  );
  useShortcuts(actions);

  if (link.is === 'refused') return <Refused why={link.why} />;
  return (
    <MayWriteContext value={mayWrite}>
      <div
        className="app"
        data-menu={menu || atList ? 'open' : 'closed'}
        data-place={atList ? 'list' : 'session'}
      >
        <button type="button" className="skip" onClick={skipToMain}>
          To the session
        </button>
        <ConnectionBanner link={link} />
        <div className="columns">
          <aside
            className="sidebar"
            aria-label="Sessions and search"
            onKeyDown={({ key }) => key === 'Escape' && setMenu(false)}
          >
            <Sidebar
              current={session}
              searchField={searchField}
              hasWork={info?.hasWork === true}
              atWork={work === true}
              onNew={start}
              onHelp={() => setHelp(true)}
            />
          </aside>
          <button
            type="button"
            className="scrim"
            aria-label="Close the list of sessions"
            onClick={() => setMenu(false)}
          />
          {work ? (
            <WorkPlace onMenu={() => setMenu(true)} />
          ) : session === undefined ? (
            <Welcome onNew={start} />
          ) : (
            <SessionView
              id={session}
              at={at}
              panel={panel}
              models={models}
              compacting={compacting}
              writeField={writeField}
              onCompacting={setCompacting}
              onPanel={setPanel}
              onMenu={() => setMenu(true)}
            />
          )}
        </div>
        <Notices />
        {help && <ShortcutHelp onClose={() => setHelp(false)} />}
      </div>
    </MayWriteContext>
  );
}

async function startSession(): Promise<string | undefined> {
  try {
    const { project } = await server.call('server/info');
    const labels = { ...(project !== null && { project }), ...listedSessions.labels };
    const { session } = await server.call('chat/session/create', labels);
    goTo({ session: session.id });
    listedSessions.showNew();
    return session.id;
  } catch (error) {
    notify('bad', sayFailure(error));
    return undefined;
  }
}

function skipToMain(): void {
  document.querySelector<HTMLElement>('.row[tabindex="0"], #main button')?.focus();
}

type Info = ResultOf<'server/info'> & { readonly hasWork: boolean };

function useServerInfo(): Info | undefined {
  const [info, setInfo] = useState<Info>();
  useEffect(() => {
    Promise.all([server.call('server/info'), server.call('rpc.discover')]).then(
      ([got, { methods }]) => setInfo({ ...got, hasWork: JSON.stringify(methods ?? []).includes('"work/') }),
      () => {},
    );
  }, []);
  return info;
}
