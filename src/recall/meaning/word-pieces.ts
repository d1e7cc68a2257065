/** Cuts a text into the numbered word pieces of a BERT vocabulary in lower case, with the marks of its beginning and end. */
export type ReadPieces = (text: string, most: number) => number[];

const LONGEST_WORD = 100;

export function createPieceReader(vocabulary: Readonly<Record<string, number>>): ReadPieces {
  const numbers = new Map(Object.entries(vocabulary));
  const [begin, end, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map((mark) => numbers.get(mark));
  if (begin === undefined || end === undefined || unknown === undefined)
    throw new Error('the vocabulary has no [CLS], [SEP] or [UNK]');

  function piecesOf(word: string): number[] {
    if (word.length > LONGEST_WORD) return [unknown!];
    const pieces: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = word.length;
      let number: number | undefined;
      for (; to > from; to--) {
        number = numbers.get((from > 0 ? '##' : '') + word.slice(from, to));
        if (number !== undefined) break;
      }
      if (number === undefined) return [unknown!];
      pieces.push(number);
      from = to;
    }
    return pieces;
  }

  return (text, most) => {
    const pieces = [begin];
    for (const word of wordsOf(text)) {
      if (pieces.length >= most - 1) break;
      pieces.push(...piecesOf(word));
    }
    return [...pieces.slice(0, most - 1), end];
  };
}

/** Signs and Chinese characters are separate words. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]|\p{Script=Han}/gu, ' $& ')
    .split(/\s+/)
    .filter(Boolean);
}
