import type { Config } from './config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variables that alert commands may inherit: none that the config refers to, be it a key, an address or a
 * secret. Names are compared without case, as some systems do.
 */
export function alertEnvironment(
  env: Environment,
  config: Pick<Config, 'variables'> | undefined,
): Environment {
  const withheld = new Set([...(config?.variables ?? [])].map((each) => each.toUpperCase()));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(name.toUpperCase())));
}
