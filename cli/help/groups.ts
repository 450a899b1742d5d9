/** Headings of the commands in the list of all. */
export const commandGroups: Readonly<Record<string, string>> = {
  ...under('Judge a target:', [
    'check',
    'init',
    'plan',
    'replay',
    'explore',
    'audit',
    'judge',
    'gate',
    'rehearse',
    'spec',
    'rules',
  ]),
  ...under('Watch it:', ['monitor', 'alerts', 'proxy', 'report', 'results', 'load']),
  ...under('Show it:', ['publish', 'open']),
  ...under('Help:', ['completion']),
  ...under('The reference service:', ['serve', 'ingest', 'keys', 'faults']),
};

/** Headings of flags; those of one command alone stand as `command --flag`. */
export const flagGroups: Readonly<Record<string, string>> = {
  ...under('The target:', [
    '--upstream',
    ...['--config', '--base-url', '--api-key-file', '--ca-file', '--pools-v1', '--pools-v2'],
    ...['--keyless', '--shared-key', '--gaps'],
  ]),
  ...under('What is sent:', [
    ...[
      '--list',
      '--wait',
      '--budget',
      '--tier',
      '--pool',
      '--from',
      '--to',
      '--rate',
      '--timeout',
      '--max-body',
      '--deadline',
    ],
    ...['--duration', '--scale', '--floor', '--segment', '--granted', '--allow-mainnet'],
    ...['--seed', '--path', '--counterexamples', '--thorough', '--expose-key', '--other-key-file', '--once'],
    ...['--scenario', '--for', '--jobs', 'rehearse --http'],
  ]),
  ...under('How it is judged:', [
    ...['--only', '--edition', '--strict', '--baseline', '--write-baseline', '--judge'],
    ...['--expect', '--no-overage'],
  ]),
  ...under('What is written:', [
    ...[
      '--out',
      '--every',
      '--json',
      '--quiet',
      '--no-annotations',
      '--no-step-summary',
      '--plan',
      '--merge',
      '--timings',
      '--label',
      '--commit',
    ],
    ...['proxy --results', 'proxy --location', 'proxy --ledger'],
  ]),
  ...under('Where it listens:', [
    '--port',
    '--host',
    '--cert',
    '--key',
    '--http',
    '--trust-proxy',
    '--metrics-port',
  ]),
  ...under('What clients may take:', [
    ...['--max-clients', '--max-client-requests', '--max-requests', '--max-upstream'],
    ...['--idle-timeout', '--header-timeout'],
  ]),
  ...under('What it serves:', ['serve --data', 'serve --seed', '--now', '--profile', '--fault']),
  ...under("Its key's month:", ['--quota-limit', '--quota-remaining', '--quota-zone']),
  ...under('For scripts and operators:', ['--ready-file', '--operator-port']),
};

/** Flags that a command takes so that another's command line can be tried on it, without any use of its own. */
export const unused: Readonly<Record<string, readonly string[]>> = {
  plan: [
    ...['--baseline', '--write-baseline', '--rate', '--timeout', '--max-body', '--deadline'],
    ...['--out', '--strict', '--timings'],
  ],
  audit: ['--pools-v1'],
};

function under(heading: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, heading]));
}
