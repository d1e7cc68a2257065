export {
  type Calibration,
  type CalibrationState,
  createCalibration,
  type ModelCalibration,
  type UsagePair,
} from './calibration.ts';
export { CATALOGUE_AS_OF } from './catalogue.ts';
export { costOf } from './cost-of.ts';
export { countImage, type ImageProvider } from './count-image.ts';
export { type CountableMessage, countMessage } from './count-message.ts';
export { type CountablePart, type CountOptions, countPart } from './count-part.ts';
export { countText } from './count-text.ts';
export { type ImageSize, imageSize } from './image-size.ts';
export { type DeclaredLimits, type ModelLimits, modelLimits } from './model-limits.ts';
export { type ModelPrice, modelPrice } from './model-price.ts';
