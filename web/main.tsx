import './design/tokens.css';
import './design/base.css';
import './design/controls.css';
import './app/shell.css';
import './sessions/sessions.css';
import './markdown/markdown.css';
import './timeline/timeline.css';
import './timeline/rows.css';
import './chat/chat.css';
import './chat/approval.css';
import './context/context.css';
import './checkpoint/checkpoint.css';
import './lineage/lineage.css';
import './work/work.css';
import './app/narrow.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { Boundary } from './app/boundary.tsx';
import { applyTheme } from './app/theme.ts';

applyTheme();
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <Boundary what="The page">
      <App />
    </Boundary>
  </StrictMode>,
);
