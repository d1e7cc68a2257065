export {
  type AnyPart,
  type CallPiece,
  type FilePiece,
  isMedia,
  type MessagePiece,
  type ResultPiece,
  readPart,
} from './read-part.ts';
export { type SayOptions, sayMessage, sayOutput, sayPart, sayValue } from './say-message.ts';
