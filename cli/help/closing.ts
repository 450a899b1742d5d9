/** The end of a command's help: its calls and its exit codes. */
export type Closing = {
  /** Arguments after `npx candleproof`, each with what it does. */
  readonly examples: readonly (readonly [args: string, does: string])[];
  readonly exits: Readonly<Record<number, string>>;
};

const wrongCall = 'wrong usage, or the command could not run; one line says why';
const done = { 0: 'done', 2: wrongCall };
const sinkExits = { 0: 'every sink took the message', 1: 'one did not', 2: wrongCall };
const verdicts = {
  0: 'conformant',
  1: 'nonconformant: a must fails; with --strict a should too',
  2: wrongCall,
  3: 'inconclusive: out of reach, key refused, quota spent',
};

/** By the command's words; '' is candleproof itself. */
export const closings: Readonly<Record<string, Closing>> = {
  '': {
    examples: [
      ['check', 'judges the embedded service'],
      ['init https://HOST --pools-v1 1', 'writes candleproof.yaml for your target'],
      ['help check', 'flags, examples and exit codes of one command'],
    ],
    exits: verdicts,
  },
  check: {
    examples: [
      ['check local', 'the embedded service'],
      ['check main --budget 24', 'a target of candleproof.yaml'],
      ['check --base-url https://HOST --pools-v1 1', 'without a config; the key in CANDLEPROOF_API_KEY'],
    ],
    exits: verdicts,
  },
  spec: {
    examples: [
      ['spec openapi.yaml', 'what is understood, and what is missing'],
      ['spec vendor.yaml --overlay roles.yaml', 'the same with an overlay'],
      ['spec NAME --try', 'one of the gallery, and one request read by it'],
    ],
    exits: { 0: 'the document can be used', 2: 'it cannot, or --try read no row of candles' },
  },
  audit: {
    examples: [['audit main --pool 1 --from 2026-01-01', 'the hours, days and weeks of pool 1 since then']],
    exits: {
      0: 'nothing is broken',
      1: 'ranges are damaged',
      2: wrongCall,
      3: 'ranges could not be read, or none held a row',
    },
  },
  judge: {
    examples: [
      ['judge traffic.har --out report', 'judges a recording and sends nothing'],
      ['judge shop.zip --base-url https://HOST', 'only the requests to that host'],
    ],
    exits: verdicts,
  },
  proxy: {
    examples: [
      ['proxy --upstream https://HOST --out seen', 'judges what clients send to localhost:8444'],
      ['proxy --upstream https://HOST --http', 'for clients that trust no other authority'],
    ],
    exits: { 0: 'ended by SIGINT or SIGTERM, whatever was found', 2: wrongCall },
  },
  gate: {
    examples: [
      ['gate BTC-5m.csv BTC-1h.csv --out gate', 'both files, and the hours against their parts'],
      ['gate btc.csv --columns time=T,open=O', 'by the names that the file has'],
    ],
    exits: {
      0: 'the files are sound; what is merely listed is no damage',
      1: 'ranges are damaged',
      2: 'wrong usage, or a file cannot be read; one line says why',
      3: 'nothing is damaged, but not everything that was wanted could be judged',
    },
  },
  rehearse: {
    examples: [
      ['rehearse -- node client.mjs', 'every scenario, 15 s each at most'],
      ['rehearse --scenario slow -- ./client', 'one of them'],
      ['rehearse --expect gap:exit=1 -- ./client', 'what it has to do about wrong data'],
    ],
    exits: {
      0: 'no must is broken, every expectation is met',
      1: 'a must is broken, or an expectation is not met',
      2: 'wrong usage, or the client cannot be started; one line says why',
      3: 'a scenario decided nothing: the client sent nothing, never met the trouble or ended too soon',
    },
  },
  init: {
    examples: [['init https://HOST --pools-v2 1 --name main', 'the key in CANDLEPROOF_API_KEY']],
    exits: { 0: 'the config is written', 2: wrongCall, 3: 'no pool answered, nothing is written' },
  },
  plan: {
    examples: [
      ['plan main', 'the bill of its checks and monitors'],
      ['plan local --tier smoke', 'what a small check sends'],
    ],
    exits: { 0: 'it fits', 2: `the monitors would spend more than their share, or ${wrongCall}` },
  },
  replay: {
    examples: [
      ['replay reports/out/main 1 main', 'the first finding of a run'],
      ['replay reports/out/local FINGERPRINT', 'one by its fingerprint, on the embedded service'],
    ],
    exits: { 0: 'fixed', 1: 'still there', 2: wrongCall, 3: 'cannot tell' },
  },
  rules: {
    examples: [
      ['rules', 'all of them'],
      ['rules rollup', 'a group'],
      ['rules rollup/volume-is-summed', 'one, explained'],
    ],
    exits: done,
  },
  serve: {
    examples: [
      ['serve --port 8443 --data shop', 'on a folder of its own'],
      ['serve --fault F60:900', 'with latest candles that are late by 900 s'],
    ],
    exits: { 0: 'stopped by SIGINT or SIGTERM', 2: wrongCall },
  },
  explore: {
    examples: [['explore main --counterexamples known.json', 'keeps what it finds']],
    exits: verdicts,
  },
  faults: {
    examples: [['faults --only F31 F60', 'two faults instead of all']],
    exits: { 0: 'each fault is found as claimed', 1: 'one is not', 2: wrongCall },
  },
  ingest: {
    examples: [
      ['ingest market.ndjson --data shop', 'then: serve --data shop'],
      ['ingest --drop-before 2026-01 --data shop', 'what would go; with --yes it does'],
    ],
    exits: { 0: 'done', 2: `lines were refused, or ${wrongCall}` },
  },
  keys: { examples: [['keys list', 'their numbers, limits and use']], exits: done },
  'keys issue': {
    examples: [['keys issue --label Ann --out ann.key', 'into a file of its owner']],
    exits: done,
  },
  'keys list': { examples: [['keys list --json', 'for programs']], exits: done },
  'keys revoke': { examples: [['keys revoke 2', 'the key with the number 2']], exits: done },
  monitor: {
    examples: [
      ['monitor', 'every target of candleproof.yaml, until it is stopped'],
      ['monitor main --once', 'each probe once, for a pipeline'],
    ],
    exits: { ...verdicts, 0: 'stopped by a signal; with --once: conformant' },
  },
  load: {
    examples: [
      ['load smoke local', 'a few seconds at the embedded service'],
      ['load average test --rate 20 --judge 0.1', '20 a second at most, a tenth judged'],
      ['load stress test --segment 1/4', 'the first of four machines'],
    ],
    exits: {
      0: 'delivered, within its objectives and nothing wrong',
      1: 'answers were wrong, or an objective was missed',
      2: wrongCall,
      3: 'inconclusive: not delivered, or the quota ended it',
    },
  },
  report: { examples: [['report --json', 'the page, and its numbers on stdout']], exits: done },
  publish: {
    examples: [
      ['publish reports/out/main --site site', 'adds a run to the site'],
      ['publish .candleproof --site site', 'adds what the monitors measured, by month'],
      ['publish --site site --serve', 'shows the site on this machine'],
    ],
    exits: { 0: 'the site is written', 2: wrongCall },
  },
  alerts: { examples: [['alerts test', 'through every sink of the config']], exits: sinkExits },
  'alerts test': {
    examples: [['alerts test pager', 'through one sink']],
    exits: sinkExits,
  },
  completion: {
    examples: [
      ['completion bash >> ~/.bashrc', 'in bash, for each new shell; in zsh likewise'],
      ['completion fish | source', 'in fish'],
    ],
    exits: { 0: 'the script is printed', 2: wrongCall },
  },
  open: {
    examples: [
      ['open', 'the newest report below reports/out'],
      ['open reports/out/main', 'that of one folder'],
    ],
    exits: { 0: 'its address is printed', 2: wrongCall },
  },
  results: { examples: [['results size', 'bytes now and to come']], exits: done },
  'results export': {
    examples: [['results export --out slots.ndjson', 'all that is kept, to be imported elsewhere']],
    exits: done,
  },
  'results import': {
    examples: [['results import berlin.ndjson', 'what another location saw']],
    exits: done,
  },
  'results size': { examples: [['results size', 'with the pace of the config']], exits: done },
};
