type Environment = Readonly<Record<string, string | undefined>>;

const valued: readonly (readonly [variable: string, flag: string])[] = [
  ['CANDLEPROOF_BASE_URL', '--base-url'],
  ['CANDLEPROOF_API_KEY_FILE', '--api-key-file'],
  ['CANDLEPROOF_CA_FILE', '--ca-file'],
  ['CANDLEPROOF_POOLS_V1', '--pools-v1'],
  ['CANDLEPROOF_POOLS_V2', '--pools-v2'],
  ['CANDLEPROOF_GAPS', '--gaps'],
];

const switches: readonly (readonly [variable: string, flag: string])[] = [
  ['CANDLEPROOF_KEYLESS', '--keyless'],
  ['CANDLEPROOF_SHARED_KEY', '--shared-key'],
  ['CANDLEPROOF_ALLOW_OVERAGE', '--allow-overage'],
];

/** Returns the suite's target as arguments of `candleproof check`: the flags that variables replace. */
export function targetArguments(env: Environment): string[] {
  const { CANDLEPROOF_TARGET: name } = env;
  return [
    ...(name === undefined ? [] : [name]),
    ...valued.flatMap(([variable, flag]) => {
      const value = env[variable];
      return value === undefined ? [] : [flag, value];
    }),
    ...switches.flatMap(([variable, flag]) => (isSet(env[variable]) ? [flag] : [])),
  ];
}

/** Returns whether a variable that replaces a flag without a value is set. */
export function isSet(text: string | undefined): boolean {
  return text !== undefined && !['', 'false', '0'].includes(text);
}
