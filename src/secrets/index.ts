export { type FoundSecret, findSecrets } from './find-secrets.ts';
export {
  createRedactor,
  putBack,
  type Redacted,
  type Redactor,
  redactBytes,
  type TakenSecret,
} from './redact.ts';
