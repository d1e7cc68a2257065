/** The variables that a model is picked and reached by; `process.env` fits. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The first of these variables that holds something: a variable set to nothing is not set. */
export function firstSet(
  env: Environment,
  variables: readonly string[],
): { readonly variable: string; readonly value: string } | undefined {
  for (const variable of variables) {
    const value = env[variable]?.trim();
    if (value) return { variable, value };
  }
  return undefined;
}
