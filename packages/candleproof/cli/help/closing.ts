/** The end of a command's help: the meaning of calls, by their arguments, and of exit codes. */
export type Closing = Readonly<Record<string, string>>;

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
    ...verdicts,
    check: 'judges the embedded service',
    'init https://HOST --pools-v1 1': 'writes candleproof.yaml for your target',
    'help check': 'flags, examples and exit codes of one command',
  },
  check: {
    ...verdicts,
    'check local': 'the embedded service',
    'check main --budget 24': 'a target of candleproof.yaml',
    'check --base-url https://HOST --pools-v1 1': 'without a config; the key in CANDLEPROOF_API_KEY',
  },
  look: {
    0: 'nothing in the answer is broken',
    1: 'rows are damaged',
    2: wrongCall,
    3: 'no row with a price came',
    "look 'https://HOST/klines?symbol=BTCUSDT'": 'one request, and a document for the API',
    'look answer.json': 'a saved answer',
    'look --spec vendor.yaml --write roles.yaml': 'an overlay with the roles of a document',
  },
  spec: {
    0: 'the document can be used',
    2: 'it cannot, or --try read no row of candles',
    'spec openapi.yaml': 'what is understood, and what is missing',
    'spec vendor.yaml --overlay roles.yaml': 'the same with an overlay',
    'spec NAME --try': 'one of the gallery, and one request read by it',
  },
  audit: {
    0: 'nothing is broken',
    1: 'ranges are damaged, or a suspicion is beyond chance',
    2: wrongCall,
    3: 'ranges could not be read, or none held a row',
    'audit main --pool 1 --from 2026-01-01': 'the hours, days and weeks of pool 1 since then',
  },
  judge: {
    ...verdicts,
    'judge traffic.har --out report': 'judges a recording and sends nothing',
    'judge shop.zip --base-url https://HOST': 'only the requests to that host',
  },
  proxy: {
    0: 'ended by SIGINT or SIGTERM, whatever was found',
    2: wrongCall,
    'proxy --upstream https://HOST --out seen': 'judges what clients send to localhost:8444',
    'proxy --upstream https://HOST --http': 'for clients that trust no other authority',
  },
  gate: {
    0: 'the files are sound; what is merely listed is no damage',
    1: 'ranges are damaged, a suspicion is beyond chance, or two tables differ',
    2: 'wrong usage, or a file cannot be read; one line says why',
    3: 'nothing is damaged, but not everything that was wanted could be judged',
    'gate BTC-5m.csv BTC-1h.csv --out gate': 'both files, and the hours against their parts',
    'gate --target main --from 2026-01-01': 'the past of a target; so does audit main',
    'gate btc.csv --columns time=T,open=O': 'by the names that the file has',
  },
  rehearse: {
    0: 'no must is broken, every expectation is met',
    1: 'a must is broken, or an expectation is not met',
    2: 'wrong usage, or the client cannot be started; one line says why',
    3: 'a scenario decided nothing: the client sent nothing, never met the trouble or ended too soon',
    'rehearse -- node client.mjs': 'every scenario, 15 s each at most',
    'rehearse --scenario slow -- ./client': 'one of them',
    'rehearse --expect gap:exit=1 -- ./client': 'what it has to do about wrong data',
  },
  init: {
    0: 'the config is written',
    2: wrongCall,
    3: 'no pool answered, nothing is written',
    'init https://HOST --pools-v2 1 --name main': 'the key in CANDLEPROOF_API_KEY',
  },
  plan: {
    0: 'it fits',
    2: `the monitors would spend more than their share, or ${wrongCall}`,
    'plan main': 'the bill of its checks and monitors',
    'plan local --tier smoke': 'what a small check sends',
  },
  replay: {
    0: 'fixed',
    1: 'still there',
    2: wrongCall,
    3: 'cannot tell',
    'replay reports/out/main 1 main': 'the first finding of a run',
    'replay reports/out/local FINGERPRINT': 'one by its fingerprint, on the embedded service',
  },
  rules: {
    ...done,
    rules: 'all of them',
    'rules rollup': 'a group',
    'rules rollup/volume-is-summed': 'one, explained',
  },
  serve: {
    0: 'stopped by SIGINT or SIGTERM',
    2: wrongCall,
    'serve --port 8443 --data shop': 'on a folder of its own',
    'serve --fault F60:900': 'with latest candles that are late by 900 s',
  },
  explore: { ...verdicts, 'explore main --counterexamples known.json': 'keeps what it finds' },
  'serve faults': {
    0: 'each fault is found as claimed',
    1: 'one is not',
    2: wrongCall,
    'serve faults --only F31 F60': 'two faults instead of all',
  },
  'serve ingest': {
    0: 'done',
    2: `lines were refused, or ${wrongCall}`,
    'serve ingest market.ndjson --data shop': 'then: serve --data shop',
    'serve ingest --drop-before 2026-01': 'what would go; with --yes it does',
  },
  'serve keys': { ...done, 'serve keys list': 'their numbers, limits and use' },
  'serve keys issue': { ...done, 'serve keys issue --label Ann --out ann.key': 'into a file of its owner' },
  'serve keys list': { ...done, 'serve keys list --json': 'for programs' },
  'serve keys revoke': { ...done, 'serve keys revoke 2': 'the key with the number 2' },
  monitor: {
    ...verdicts,
    0: 'stopped by a signal; with --once: conformant',
    monitor: 'every target of candleproof.yaml, until it is stopped',
    'monitor main --once': 'each probe once, for a pipeline',
  },
  'monitor ack': { ...done, 'monitor ack alert/main/availability': 'somebody looks into it' },
  'monitor maintain': {
    ...done,
    "monitor maintain main 2h 'new disks'": 'a message as it begins, and as it ends',
  },
  'monitor note': { ...done, "monitor note main 'their release'": 'shown beside the incident' },
  load: {
    0: 'delivered, within its objectives and nothing wrong',
    1: 'answers were wrong, or an objective was missed',
    2: wrongCall,
    3: 'inconclusive: not delivered, or the quota ended it',
    'load smoke local': 'a few seconds at the embedded service',
    'load average test --rate 20 --judge 0.1': '20 a second at most, a tenth judged',
    'load stress test --segment 1/4': 'the first of four machines',
  },
  report: { ...done, 'report --json': 'the page, and its numbers on stdout' },
  publish: {
    0: 'the site is written',
    2: wrongCall,
    'publish reports/out/main --site site': 'adds a run to the site',
    'publish .candleproof --site site': 'adds what the monitors measured, by month',
    'publish --site site --serve': 'shows the site on this machine',
  },
  'monitor alerts': { ...sinkExits, 'monitor alerts test': 'through every sink of the config' },
  'monitor alerts test': { ...sinkExits, 'monitor alerts test pager': 'through one sink' },
  completion: {
    0: 'the script is printed',
    2: wrongCall,
    'completion bash >> ~/.bashrc': 'in bash, for each new shell; in zsh likewise',
    'completion fish | source': 'in fish',
  },
  'monitor backup': { ...done, 'monitor backup monday.db': 'a copy, while the monitor runs' },
  'monitor results': { ...done, 'monitor results size': 'bytes now and to come' },
  'monitor results export': {
    ...done,
    'monitor results export --out slots.ndjson': 'all that is kept, to be imported elsewhere',
  },
  'monitor results import': { ...done, 'monitor results import berlin.ndjson': 'what another location saw' },
  'monitor results size': { ...done, 'monitor results size': 'with the pace of the config' },
};
