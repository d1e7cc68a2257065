import type { Interface } from 'node:readline';

/**
 * Ctrl-Z stops the program, and `fg` brings it back with everything as it was. The shell takes the terminal out of raw
 * mode in between, and it may stop us without a key being pressed, so the mode is set anew whenever we are continued.
 */
export function surviveStops(
  editor: Interface,
  { onLeave = () => {}, onBack }: { onLeave?: () => void; onBack: () => void },
): Disposable {
  const { stdin } = process;
  const back = () => {
    if (!stdin.isTTY) return;
    // The mode is only set if it is another than the one set last, whatever the shell has done to it.
    stdin.setRawMode(false);
    stdin.setRawMode(true);
    onBack();
  };
  editor.on('SIGTSTP', () => {
    onLeave();
    stdin.setRawMode(false);
    // The processes between the shell and this one (npx, the launcher) have to stop too, or the shell would not notice.
    process.kill(0, 'SIGTSTP');
    // Where no shell could bring us back the system does not stop us at all, and sends no signal when we continue.
    setImmediate(back);
  });
  process.on('SIGCONT', back);
  return { [Symbol.dispose]: () => void process.off('SIGCONT', back) };
}
