// Holds a file, and says by its exit code that the disk took nothing.
import { holdFile } from '../../../src/transcripts/shorten/replace-file.ts';

const [, , file = ''] = process.argv;
try {
  await using _held = await holdFile(file);
} catch (error) {
  process.exitCode = (error as NodeJS.ErrnoException).code === 'EFBIG' ? 27 : 1;
}
