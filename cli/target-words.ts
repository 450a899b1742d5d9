/** Flags that describe a target, as commander gives them. */
export type TargetFlags = {
  readonly config?: string;
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  readonly caFile?: string;
  readonly poolsV1?: readonly number[];
  readonly poolsV2?: readonly number[];
  readonly keyless?: boolean;
  readonly sharedKey?: boolean;
};

/** A word of a command line as every POSIX shell takes it, quoted where it has to be. */
export function inShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A target as the command line named it, so that the same words reach it again; a key stays where it was found. */
export function targetInWords(name: string | undefined, flags: TargetFlags): string {
  const { config, baseUrl, apiKeyFile, caFile, poolsV1 = [], poolsV2 = [], keyless, sharedKey } = flags;
  const given: [flag: string, value: string | undefined][] = [
    ['--config', config],
    ['--base-url', baseUrl],
    ['--api-key-file', apiKeyFile],
    ['--ca-file', caFile],
    ['--pools-v1', poolsV1.join(',') || undefined],
    ['--pools-v2', poolsV2.join(',') || undefined],
  ];
  return [
    ...(name === undefined ? [] : [inShell(name)]),
    ...given.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${inShell(value)}`])),
    ...(keyless ? ['--keyless'] : []),
    ...(sharedKey ? ['--shared-key'] : []),
  ].join(' ');
}
