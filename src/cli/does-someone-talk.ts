/** A person at a terminal, or a pipe with something in it. Waits for the first of it, and leaves it there to be read. */
export async function doesSomeoneTalk(): Promise<boolean> {
  const { stdin, stdout } = process;
  if (stdin.isTTY) return Boolean(stdout.isTTY);
  return new Promise((resolve) => {
    const look = () => {
      const first: unknown = stdin.read();
      if (first !== null) stdin.unshift(first);
      if (first === null && !stdin.readableEnded) return;
      stdin.off('readable', look).off('end', nobody).off('error', nobody);
      resolve(first !== null);
    };
    const nobody = () => resolve(false);
    stdin.on('readable', look).once('end', nobody).once('error', nobody);
  });
}
