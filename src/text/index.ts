export {
  type AnyPart,
  type CallPiece,
  type FilePiece,
  isMedia,
  type MessagePiece,
  type ResultPiece,
  readPart,
} from './read-part.ts';
export { type SayOptions, sayMessage, sayOutput, sayPart } from './say-message.ts';
export { sayValue } from './say-value.ts';
