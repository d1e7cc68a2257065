export { findSecrets } from './find-secrets.ts';
export { type LookFor, lookFor, type SecretFinder } from './look-for.ts';
export {
  createRedactor,
  lastPlaceholder,
  PLACEHOLDER,
  putBack,
  type Redactor,
  redactBytes,
  type TakenSecret,
} from './redact.ts';
export { redactValue } from './redact-value.ts';
