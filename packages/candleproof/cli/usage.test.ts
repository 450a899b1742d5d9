import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';
import { candleproof } from '@candleproof/command/command';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { sampleRun } from '@candleproof/load/testing/runs';
import { expect, test } from '@playwright/test';

const folder = passingFolder();
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const loadRun = (change: object): string => JSON.stringify({ ...sampleRun(), ...change });
const longer = { startPerMinute: 3000, stages: [{ perMinute: 3000, seconds: 21 }] };
const longerLoad = { ...sampleRun().trial, load: longer };

const key = file('key', 'k'.repeat(32));
const here = ['--base-url', 'https://127.0.0.1:1', '--api-key-file', key];
mkdirSync(join(folder, 'a-folder'));

const refusals: [what: string, args: string[], names: RegExp, env?: Record<string, string>][] = [
  ['an unknown flag', ['check', 'local', '--fast'], /--fast.*\(see candleproof check --help all\)/],
  [
    'an unknown flag of a part',
    ['serve', 'keys', 'issue', '--fast'],
    /see candleproof serve keys --help all/,
  ],
  ['a flag that resembles none', ['serve', '--http'], /^(?!.*Did you mean)/],
  ['an unknown command', ['chekc'], /chekc/],
  ['a missing argument', ['judge'], /judge: <files> is missing: write candleproof judge <files\.\.\.>/],
  ['a client without its command', ['rehearse', '--http'], /rehearse: <command> is missing: write/],
  ['a part of a command alone', ['maintain', 'main', '2h'], /write candleproof monitor maintain/],
  ['a gate of nothing', ['gate'], /no file is given; .*--target NAME/],
  ['files beside a past', ['gate', 'c.csv', '--target', 'local'], /files or --target, not both/],
  ['columns of a past', ['gate', '--target', 'local', '--columns', 'time,open'], /--columns: is about files/],
  ['a budget for files', ['gate', 'c.csv', '--budget', '9'], /--budget: is about the past of a target/],
  ['sessions of a past', ['gate', '--target', 'local', '--gaps', 'sessions'], /--gaps: .*none or idle/],
  ['an address of candles', ['gate', 'https://host/c.csv'], /curl -fsS \S+ \| npx candleproof gate -/],
  [
    'an empty config',
    ['plan', 'main', '--config', file('empty.yaml', '')],
    /empty\.yaml:1: the file does not hold version and targets: write them/,
  ],
  [
    'a plain http base URL',
    ['check', '--base-url', 'http://host', '--api-key-file', key],
    /http:\/\/host.*https/,
  ],
  ['a base URL that is none', ['check', '--base-url', 'host', '--api-key-file', key], /"host" is no URL/],
  ['an address without its scheme', ['check', 'localhost:8443'], /write https:\/\/localhost:8443/],
  ['a base URL with a query', ['check', '--base-url', 'https://host?a=1', '--api-key-file', key], /query/],
  [
    'a missing key file',
    ['check', '--base-url', 'https://host', '--api-key-file', join(folder, 'none')],
    /none: there is no such file/,
  ],
  [
    'a folder for a key file',
    ['check', '--base-url', 'https://host', '--api-key-file', join(folder, 'a-folder')],
    /a-folder.*cannot be read/,
  ],
  [
    'an empty key file',
    ['check', '--base-url', 'https://host', '--api-key-file', file('empty', '\n')],
    /empty: it holds 0 characters/,
  ],
  ['no key at all', ['check', '--base-url', 'https://host', '--pools-v1', '1'], /no API key/],
  ['an unreadable CA', ['check', ...here, '--ca-file', join(folder, 'ca')], /--ca-file.*no such file/],
  ['a CA that is no certificate', ['check', ...here, '--ca-file', key], /no PEM certificate/],
  ['previewnet', ['check', 'previewnet'], /previewnet is not supported/],
  [
    'previewnet as a host',
    ['check', '--base-url', 'https://previewnet.host', '--api-key-file', key],
    /previewnet/,
  ],
  ['a pool that is no integer', ['check', ...here, '--pools-v1', '1,two'], /--pools-v1: "two"/],
  ['a wait that no timer takes', ['check', 'local', '--timeout', '2147483648'], /--timeout: .*more than/],
  [
    'a fault that there is not, for a load',
    ['load', 'smoke', 'local', '--plan', join(folder, 'plan.json'), '--fault', 'F999'],
    /--fault: .*F999/,
  ],
  [
    'a load faster than any',
    ['load', 'smoke', 'local', '--plan', join(folder, 'plan.json'), '--rate', '1e9'],
    /load: more than 1,000,000 requests a second/,
  ],
  [
    'a name that no config takes',
    ['init', 'https://host', '--name', 'a b', '--api-key-file', key, '--pools-v1', '1'],
    /--name: .*"a b"/,
  ],
  [
    'text for a document',
    ['plan', ...here, '--pools', '1', '--spec', file('notes.txt', 'notes')],
    /notes\.txt: .*no OpenAPI/,
  ],
  [
    'a document of an older OpenAPI',
    ['plan', ...here, '--pools', '1', '--spec', file('old.yaml', 'openapi: 2.0.0\ninfo: {}\npaths: {}\n')],
    /old\.yaml: .*"2\.0\.0".*3\.0, 3\.1 or 3\.2/,
  ],
  [
    'a port for a site that is none',
    ['publish', 'a', '--site', 'b', '--port', '99999'],
    /--port: 99999 is no port/,
  ],
  [
    'an address that no site has',
    ['publish', 'a', '--site', 'b', '--address', 'data.example'],
    /--address: "data\.example" is no address of a site: give one such as https:/,
  ],
  [
    'lines that are not there',
    ['serve', 'ingest', join(folder, 'no.ndjson'), '--data', join(folder, 'd')],
    /no such file/,
  ],
  ['a budget of 0', ['check', 'local', '--budget', '0'], /--budget: "0"/],
  ['a rate of nothing', ['check', 'local', '--rate', '0'], /--rate: "0"/],
  ['an unknown target', ['check', 'mainnet'], /"mainnet"/],
  ['flags beside the embedded service', ['check', 'local', '--keyless'], /--keyless/],
  ['a rule that there is not', ['check', 'local', '--only', 'candle/none'], /candle\/none/],
  ['a rule to explain that there is not', ['rules', 'candle/high'], /candle\/high-is-highest/],
  ['a missing target in a pipeline', ['check'], /CI=true/, { CI: 'true' }],
  [
    'a missing target beside a key',
    ['check'],
    /CANDLEPROOF_API_KEY/,
    { CANDLEPROOF_API_KEY: 'k'.repeat(32) },
  ],
  ['a HAR that is no JSON', ['judge', file('broken.har', '{"log": ')], /broken\.har/],
  [
    'a HAR of another site',
    [
      'judge',
      file('other.har', '{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[]}}'),
    ],
    /other\.har.*three operations/,
  ],
  ['a missing HAR', ['judge', join(folder, 'none.har')], /none\.har: there is no such file/],
  [
    'an output folder that is a file',
    ['judge', 'tests/fixtures/published-answers.har', '--out', key],
    /--out/,
  ],
  ['an unknown fault', ['serve', '--port', '0', '--data', join(folder, 's'), '--fault', 'F999'], /F999/],
  [
    'a certificate without its key',
    ['serve', '--port', '0', '--data', join(folder, 's'), '--cert', key],
    /--cert and --key/,
  ],
  [
    'a size of a fault that has none',
    ['serve', '--port', '0', '--data', join(folder, 's'), '--fault', 'F32:3'],
    /F32 average-of-four-prices has no size/,
  ],
  [
    'a size beside the matrix, which tries them all',
    ['serve', 'faults', '--only', 'F31:3'],
    /--only: "F31:3".*say F31/,
  ],
  [
    'more requests left than a month has',
    ['serve', '--port', '0', '--data', join(folder, 'q'), '--quota-limit', '10', '--quota-remaining', '20'],
    /--quota-remaining: 20 left is more than the 10 of a month/,
  ],
  [
    'more requests left than the usual month has',
    ['serve', '--port', '0', '--data', join(folder, 'q2'), '--quota-remaining', '10001'],
    /--quota-remaining: 10001 left is more than the 10000 of a month/,
  ],
  ...[
    ['check', 'local'],
    ['check', ...here, '--pools-v1', '1'],
    ['plan', 'local'],
    ['explore', 'local'],
    ['audit', 'local'],
    ['monitor'],
    ['report'],
  ].map((args): [string, string[], RegExp] => [
    `a config that is not there (${args.slice(0, 2).join(' ')})`,
    [...args, '--config', join(folder, 'none.yaml')],
    /--config: .*none\.yaml: there is no such file/,
  ]),
  ['a monitor of nothing', ['monitor'], /no candleproof\.yaml in this folder.*--base-url.*monitor local/],
  ['a load without a scenario', ['load'], /name a scenario/],
  ['a scenario that there is not', ['load', 'storm', 'local'], /"storm": take smoke, average/],
  [
    'a load where there is no k6',
    ['load', 'smoke', 'local', '--engine', 'k6'],
    /K6_BIN: .*none is no k6: install it \(grafana\.com\/docs\/k6.*go install go\.k6\.io.*K6_BIN$/m,
    { K6_BIN: join(folder, 'none') },
  ],
  ['an engine that there is not', ['load', 'smoke', 'local', '--engine', 'jet'], /take embedded or k6/],
  [
    'a load beyond the embedded engine',
    ['load', 'smoke', 'local', '--engine', 'embedded', '--rate', '2001'],
    /--engine: the embedded engine sends at most 2,000 requests a second: .*--engine k6/,
  ],
  [
    'a plan for the embedded engine',
    ['load', 'smoke', 'local', '--engine', 'embedded', '--plan', join(folder, 'plan.json')],
    /--engine: a plan is for k6 elsewhere/,
  ],
  [
    'a load of what may be mainnet',
    ['load', 'smoke', '--base-url', 'https://target.invalid', '--api-key-file', key, '--pools-v1', '1'],
    /may be on mainnet.*--allow-mainnet/,
  ],
  [
    'a load of what is said to be mainnet',
    ['load', 'smoke', '--base-url', 'https://target.invalid', '--network', 'mainnet', '--keyless'],
    /is on mainnet.*--allow-mainnet/,
  ],
  [
    'a network that is not served',
    ['check', '--base-url', 'https://target.invalid', '--network', 'previewnet'],
    /--network: "previewnet" is not served/,
  ],
  [
    'a network beside a target of the config',
    ['check', 'local', '--network', 'testnet'],
    /--network: not beside local/,
  ],
  ['a segment that is none', ['load', 'smoke', 'local', '--segment', '5/4'], /--segment: "5\/4"/],
  [
    'a grant without a segment',
    ['load', 'smoke', 'local', '--granted', 'x'],
    /--granted: only beside --segment/,
  ],
  [
    'a comparison of one load run',
    ['load', '--compare', file('one.json', loadRun({}))],
    /name two load\.json/,
  ],
  [
    'a comparison with what is no load run',
    ['load', '--compare', file('whole.json', loadRun({})), file('empty.json', '{"format":1}')],
    /--compare: .*empty\.json is no load run of ours/,
  ],
  [
    'a comparison with a load run that was cut',
    ['load', '--compare', file('full.json', loadRun({})), file('cut.json', loadRun({ figures: {} }))],
    /--compare: .*cut\.json is no load run of ours/,
  ],
  [
    'a comparison of two different loads',
    [
      'load',
      '--compare',
      file('even.json', loadRun({})),
      file('longer.json', loadRun({ trial: longerLoad })),
    ],
    /--compare: these are not two runs of one load: their stages differ; give/,
  ],
  [
    'a comparison beside a merge',
    ['load', '--compare', 'a', 'b', '--merge', 'a', 'b'],
    /--merge or --compare/,
  ],
  [
    'a merge of what is no load run',
    ['load', '--merge', file('other.json', '{}')],
    /other\.json is no load run/,
  ],
  ['a clock that is none', ['serve', '--now', 'yesterday'], /--now: "yesterday"/],
  ['a port beyond all', ['serve', '--port', '70000'], /--port: 70000/],
];

for (const [what, args, names, env] of refusals) {
  test(`${what} ends in one clear line and exit code 2`, async () => {
    const { code, stdout, stderr } = await called(args, env);
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('(see '));
    expect(lines).toEqual([expect.stringMatching(names)]);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
}

const keyText = 'Zk3xQ9vB7nM2pL5tR8wY1cF4hJ6sD0aG';
const leaks: [what: string, args: string[], names: RegExp][] = [
  [
    'a key as the name of its file',
    ['check', ...here.slice(0, 3), keyText],
    /--api-key-file: .*may be a key.*no such file.*into a file/,
  ],
  [
    'a second key as the name of its file',
    ['check', ...here, '--pools-v1', '1', '--other-key-file', keyText],
    /--other-key-file: .*may be a key/,
  ],
  [
    'a key as a flag',
    ['check', ...here, '--api-key', keyText],
    /--api-key: a key is never a flag.*--api-key-file FILE/,
  ],
  ['a key in a flag', ['check', `--api-key=${keyText}`], /--api-key: a key is never a flag/],
  ['a short secret in an unknown flag', ['check', '--token=hunter2'], /unknown option '--token'/],
  ['a key as a target', ['check', keyText], /no target is called/],
  ['a key as a command', [keyText], /unknown command|too many/],
  ['a key for the certificate', ['check', ...here, '--ca-file', keyText], /--ca-file: .*may be a key/],
  ['a key without end', ['check', ...here.slice(0, 3), keyText.repeat(20)], /--api-key-file: .*may be a key/],
];

for (const [what, args, names] of leaks) {
  test(`${what} is refused in one line that does not repeat it`, async () => {
    const { code, stdout, stderr } = await candleproof(args);
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('(see '));
    expect({ code, stdout, lines }).toEqual({ code: 2, stdout: '', lines: [expect.stringMatching(names)] });
    expect(stderr).not.toMatch(/Zk3xQ9|hunter2/);
  });
}

test('help and version are no errors', async () => {
  expect(await candleproof(['--version'])).toMatchObject({ code: 0, stdout: '0.2.0\n' });
  expect(await candleproof(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('check') });
});
