import { styleText } from 'node:util';

type Colour = 'bold' | 'dim' | 'cyan' | 'green' | 'yellow' | 'red';

/** Colour is for a terminal that shows it and a person who wants it (https://no-color.org). */
function paintOn(stream: NodeJS.WriteStream, colour: Colour): (text: string) => string {
  return (text) => {
    const wanted = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
    return wanted ? styleText(colour, text, { validateStream: false }) : text;
  };
}

export const bold = paintOn(process.stdout, 'bold');
export const dim = paintOn(process.stdout, 'dim');
export const cyan = paintOn(process.stdout, 'cyan');
export const green = paintOn(process.stdout, 'green');
export const yellow = paintOn(process.stdout, 'yellow');
export const red = paintOn(process.stdout, 'red');

/** For what goes to stderr, which may be a terminal where stdout is a pipe. */
export const redNote = paintOn(process.stderr, 'red');
export const dimNote = paintOn(process.stderr, 'dim');
