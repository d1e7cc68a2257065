import { Fragment } from 'react';
import { Dialog } from './dialog.tsx';
import { SHORTCUTS, useShortcutsEnabled } from './shortcuts.ts';

const IN_TIMELINE = [
  [['Up', 'Down', 'j', 'k'], 'From message to message'],
  [['Home', 'End'], 'To the first and the last of what is loaded'],
  [['Enter', 'o'], 'Open or close what a message or a summary holds'],
  [['Tab'], 'To what can be done with it'],
] as const;

export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const [on, setOn] = useShortcutsEnabled();
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <table className="keys">
        <tbody>
          {Object.values(SHORTCUTS).map(({ key, says }) => (
            <tr key={key}>
              <th scope="row">{says}</th>
              <td>
                <kbd>{key}</kbd>
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">Send, new line, stop the answer</th>
            <td>
              <kbd>Enter</kbd> <kbd>Shift Enter</kbd> <kbd>Esc</kbd>
            </td>
          </tr>
          <tr>
            <th scope="row">Add to the answer that is being written</th>
            <td>
              <kbd>Ctrl Enter</kbd>
            </td>
          </tr>
          <tr>
            <th colSpan={2} scope="rowgroup" className="keys-where">
              In the timeline
            </th>
          </tr>
          {IN_TIMELINE.map(([keys, says]) => (
            <tr key={says}>
              <th scope="row">{says}</th>
              <td>
                {keys.map((key) => (
                  <Fragment key={key}>
                    <kbd>{key}</kbd>{' '}
                  </Fragment>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <label className="check">
        <input type="checkbox" checked={on} onChange={({ target }) => setOn(target.checked)} />
        Single-key shortcuts
      </label>
      <div className="dialog-actions">
        <button type="button" className="button button-primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
