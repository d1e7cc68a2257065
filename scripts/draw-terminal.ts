// Turns what a program wrote to a terminal into a picture: an SVG with one line of text for each line on the screen.

const SIZE = { width: 8.43, height: 19, left: 18, top: 46 };
const BACKGROUND = '#16181d';
const FOREGROUND = '#d6d9e0';
/** By SGR code. */
const COLOURS: Readonly<Record<number, string>> = {
  30: '#5c6370',
  31: '#e06c75',
  32: '#98c379',
  33: '#e5c07b',
  34: '#61afef',
  35: '#c678dd',
  36: '#56b6c2',
  37: '#d6d9e0',
  90: '#7d8590',
};

interface Style {
  colour: string;
  bold: boolean;
  dim: boolean;
}

const PLAIN: Style = { colour: FOREGROUND, bold: false, dim: false };

export function drawTerminal(shown: string, { columns, title }: { columns: number; title: string }): string {
  const lines = shown.trimEnd().split('\n');
  const width = Math.round(columns * SIZE.width + 2 * SIZE.left);
  const height = Math.round(lines.length * SIZE.height + SIZE.top + 14);
  let style = PLAIN;
  const texts = lines.map((line, index) => {
    const { spans, after } = drawLine(line, style);
    style = after;
    return `<text x="${SIZE.left}" y="${SIZE.top + (index + 0.7) * SIZE.height}">${spans}</text>`;
  });
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${22 + index * 20}" cy="20" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeText(title)}</title>
<rect width="100%" height="100%" rx="10" fill="${BACKGROUND}"/>
${lights.join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${FOREGROUND}" xml:space="preserve">
${texts.join('\n')}
</g>
</svg>
`;
}

function drawLine(line: string, from: Style): { spans: string; after: Style } {
  let style = from;
  let spans = '';
  let column = 0;
  // Other control sequences move the cursor or hide it; what is kept is only what stands there in the end.
  const pieces = line
    .slice(line.lastIndexOf('\r') + 1)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    .split(/(\u001b\[[0-9;?]*[A-Za-z])/);
  for (const piece of pieces) {
    if (piece.startsWith('\u001b')) {
      if (piece.endsWith('m')) style = applyCodes(style, piece.slice(2, -1));
    } else if (piece !== '') {
      spans += `<tspan x="${(SIZE.left + column * SIZE.width).toFixed(1)}"${attributes(style)}>${escapeText(piece)}</tspan>`;
      column += [...piece].length;
    }
  }
  return { spans, after: style };
}

function applyCodes(from: Style, codes: string): Style {
  let style = from;
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) style = PLAIN;
    else if (code === 1) style = { ...style, bold: true };
    else if (code === 2) style = { ...style, dim: true };
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 39) style = { ...style, colour: FOREGROUND };
    else style = { ...style, colour: COLOURS[code] ?? style.colour };
  }
  return style;
}

function attributes({ colour, bold, dim }: Style): string {
  const fill = colour === FOREGROUND ? '' : ` fill="${colour}"`;
  return `${fill}${bold ? ' font-weight="bold"' : ''}${dim ? ' fill-opacity="0.6"' : ''}`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
