export { cacheLifetimeMs, keepsAtMarks, LONG_CACHE, USUAL_PRICE } from './cache-rules.ts';
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
export {
  type CountableMessage,
  type CountablePart,
  type CountOptions,
  countMessage,
  countPart,
} from './count-part.ts';
export { countSurely } from './count-surely.ts';
export { type ImageSize, imageSize } from './image-size.ts';
export { type DeclaredLimits, type ModelLimits, modelLimits, priceOf } from './model-limits.ts';
export { type ModelPrice, modelPrice, type Prices, pricesAt } from './model-price.ts';
export { countText } from './scan-text.ts';
export { countAs } from './tokenizers.ts';
