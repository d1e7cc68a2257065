export { findSecrets } from './find-secrets.ts';
export type { FoundSecret } from './found-secret.ts';
export { type LookFor, lookFor, type SecretFinder } from './look-for.ts';
export {
  createRedactor,
  lastPlaceholder,
  PLACEHOLDER,
  putBack,
  type Redacted,
  type RedactOptions,
  type Redactor,
  redactBytes,
  type TakenSecret,
} from './redact.ts';
export { type RedactValueOptions, redactValue } from './redact-value.ts';
