import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { called } from '@candleproof/command/called';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { expect, test } from '@playwright/test';

const folder = passingFolder();
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const config = (name: string, text: string): string[] => ['plan', '--config', file(name, text)];

const none = join(folder, 'none');
const csv = file('c.csv', 'time,open,high,low,close\n1700000100,1,2,1,2\n1700000400,1,2,1,2\n');
const words = file('words.json', '{"rows":"none"}');
mkdirSync(join(folder, 'empty'));
const out = ['--out', join(folder, 'out')];
const keyless = ['check', '--base-url', 'https://host.invalid', '--keyless'];

/** Calls as people type them who have not read the documents yet: the flag or file, and what to write instead. */
const mistakes: readonly (readonly [call: readonly string[], says: RegExp])[] = [
  [['version'], /unknown command 'version'.*candleproof --help/],
  [['help', 'chekc'], /unknown command 'chekc' \(Did you mean check\?\)/],
  [['chekc', '--help'], /unknown command 'chekc' \(Did you mean check\?\)/],
  [['maintain'], /unknown command 'maintain': write candleproof monitor maintain/],
  [
    ['monitor', 'maintain'],
    /monitor maintain: <target> is missing: write .*monitor maintain <target> <for> \[why\]/,
  ],
  [
    ['monitor', 'maintain', 'main', '2h'],
    /\.candleproof is no data folder of a monitor: name the one .*--data/,
  ],
  [['rehearse'], /rehearse: <command> is missing: write candleproof rehearse -- <command\.\.\.>/],
  [['serve', 'keys'], /serve keys: say what to do: issue, list, revoke/],
  [['monitor', 'alerts'], /monitor alerts: say what to do: test/],
  [['monitor', 'results'], /monitor results: say what to do: export, import, size/],
  [['check', '--target', 'local'], /'--target': write the target without a flag/],
  [['check', 'local', 'main'], /too many arguments for 'check'/],
  [['check', 'local', '--strict=yes'], /--strict: it takes no value: write --strict alone/],
  [['check', 'local', '--tier', 'quick'], /--tier.*'quick' is invalid.*pr, smoke, full/],
  [['check', 'local', '--timeout', '5s'], /--timeout: "5s" is no whole number: give one of at least 1/],
  [['check', 'local', '--rate', 'fast'], /--rate: "fast" is no number: give one above 0/],
  [['check', 'local', '--nightly', '99'], /--nightly: 99: give 1 to 31 nights/],
  [['check', 'local', '--commit', 'main'], /--commit: "main" is no commit: give 7 to 64 hex/],
  [['check', 'local', '--write-baseline'], /--write-baseline: name the file with --baseline/],
  [
    ['check', 'local', '--out', join(folder, 'r.html')],
    /--out: \S+r\.html is the name of a file: give a folder/,
  ],
  [['check', 'local', '--baseline', none], /--baseline: \S+none: there is no such file/],
  [[...keyless, '--pools-v1', 'all'], /--pools-v1: "all" is no pool: give whole numbers, such as 1,2/],
  [[...keyless, '--gaps', 'maybe'], /--gaps: "maybe" is neither none nor idle/],
  [[...keyless, '--spec', 'binnance'], /--spec: "binnance" is neither a file nor in the gallery.*binance/],
  [
    ['plan', 'mine'],
    /"mine": give its https:\/\/ address and its pools, write a candleproof\.yaml, or use local/,
  ],
  [['judge', csv], /c\.csv: .*no recording; .*gate FILE/],
  [['judge', words], /words\.json: log\.entries is missing.*HAR 1\.2/],
  [['gate', join(folder, 'empty')], /empty: it is a folder.*give a file/],
  [
    ['gate', csv, '--columns', 'time=T'],
    /--columns: no column is called "T" among "time,open.*give a name that/,
  ],
  [['gate', csv, '--columns', 'when,o,h,l,c'], /--columns: "when,o,h,l,c": give the columns in their order/],
  [['gate', csv, '--unit', 'seconds'], /--unit: "seconds": take s, ms/],
  [['gate', csv, '--same'], /--same: takes two tables/],
  [['gate', csv, '--repair', csv], /--repair: \S+ is read by this command.*name another file/],
  [['gate', csv, '--from', '2026-01-01'], /--from: is about the past of a target; name one with --target/],
  [['gate', words], /words\.json: line 1: no field for time.*--columns/],
  [['look'], /look: give a URL, a file or -/],
  [['look', 'localhost'], /look: localhost: .*give https:\/\/localhost, or http:\/\/ on loopback/],
  [['look', 'ftp://host/x'], /look: ftp:\/\/host\/x: it reads no ftp; .*give https:\/\/host\/x/],
  [['look', 'api.example.com/klines'], /give https:\/\/api\.example\.com\/klines/],
  [['look', 'http://host.invalid/x'], /http: is for this machine only; give an https: URL/],
  [['look', 'https://127.0.0.1:1/x'], /no answer came: .*ECONNREFUSED.*is the address right/],
  [['look', 'https://127.0.0.1:1/x', '--header', 'X-Key'], /--header: it has no colon; give 'NAME: text'/],
  [['look', 'https://127.0.0.1:1/x', '--key-header', 'X-Key'], /need a key: give --api-key-file/],
  [['init', 'host'], /"host" is no URL: give one such as https:\/\/host/],
  [['replay', join(folder, 'empty'), '1'], /run\.json: there is no such file/],
  [['explore', 'local', '--path', 'x'], /--path: "x" is none: give the one/],
  [['audit', 'local', '--from', 'yesterday'], /--from: "yesterday" is no time: give 2026-03-01/],
  [['load', 'smoke', 'local', '--duration', '1h'], /--duration: "1h" is no whole number: give/],
  [['load', 'smoke', 'local', '--judge', '50'], /--judge: "50" is no share from 0 to 1/],
  [['monitor', 'note', 'main', 'why', '--by'], /'--by <name>' argument missing/],
  [['monitor', 'results', 'export', '--format', 'json'], /--format.*'json' is invalid.*ndjson, csv/],
  [
    ['monitor', 'backup', join(folder, 'x.db')],
    /\.candleproof.*name the one that a monitor writes to with --data/,
  ],
  [
    ['report', '--data', none],
    /there is no folder \S+none: name the one that a monitor writes to with --data/,
  ],
  [['report', '--data', join(folder, 'empty')], /empty is no data folder of a monitor: name the one/],
  [
    ['publish', none, '--site', join(folder, 'site')],
    /none: there is no such folder or file; give the folder/,
  ],
  [['publish', none], /'--site <dir>' not specified/],
  [['proxy', '--upstream', 'host'], /--upstream: "host" is no URL: give one such as/],
  [['rehearse', 'node', 'client.mjs', '--fast'], /'--fast': write -- before the command of the client/],
  [['rehearse', ...out, '--', 'nosuchprogram'], /nosuchprogram: command not found: give a program/],
  [['rehearse', '--expect', 'gap', '--', 'true'], /--expect: "gap" is none: give exit=N/],
  [['serve', 'keys', 'list', '--data', none], /--data: \S+none is no data folder of serve: give the one/],
  [['serve', 'keys', 'issue', '--limit', 'none'], /--limit: "none" is no whole number/],
  [['completion', 'tcsh'], /'tcsh' is invalid.*bash, zsh, fish/],
  [
    config('tab.yaml', 'version: 1\ntargets:\n\tmain: {}\n'),
    /tab\.yaml:3: a tab indents this line: indent it with/,
  ],
  [config('brace.yaml', 'version: 1\ntargets: { main: {\nkeys: [\n'), /brace\.yaml:\d: .*end each \{ and \[/],
  [config('quote.yaml', 'version: 1\ntargets: "main\n'), /quote\.yaml:\d: .*end each quotation mark/],
  [
    config('at.yaml', 'version: @1\n'),
    /at\.yaml:1: a value may not begin with this character: put it in quot/,
  ],
  [
    config('twice.yaml', 'version: 1\nversion: 1\n'),
    /twice\.yaml:2: "version" stands here twice.*leave one out/,
  ],
  [
    config('colon.yaml', 'version: 1\ntargets\n'),
    /colon\.yaml:\d: .*write name: value, with a space behind the colon/,
  ],
];

for (const [args, says] of mistakes) {
  const call = args.map((arg) => arg.replace(folder, '…')).join(' ');
  test(`${call} ends in one line that says what to write`, async () => {
    const { code, stdout, stderr } = await called(args);
    const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('GET '));
    expect(lines).toEqual([expect.stringMatching(says)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
}

const answers: Readonly<Record<string, readonly [status: number, body: string]>> = {
  '/closed': [401, '{"message":"no key"}'],
  '/refused': [200, '{"code":"50011","msg":"Rate limit reached","data":[]}'],
  '/listed': [200, '{"error":["EQuery:Unknown asset pair"]}'],
};
let server: Server;

test.beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const [status, body] = answers[url] ?? [404, ''];
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
test.afterAll(() => server.close());

test('look shows an answer that is an error, and names the flags of a key that is missing', async () => {
  const { port } = server.address() as AddressInfo;
  const look = async (path: string): Promise<string> =>
    (await called(['look', `http://127.0.0.1:${port}${path}`])).stderr;
  expect(await look('/closed')).toMatch(/status 401: {"message":"no key"}; give the key with .*--key-header/);
  expect(await look('/refused')).toMatch(/status 200, but no row: {"code":"50011","msg":"Rate limit reached/);
  expect(await look('/listed')).toMatch(/status 200, but no row: {"error":\["EQuery:Unknown asset pair"\]}/);
});

test('a target whose requests nothing counts has no month to be a share of', async () => {
  const text =
    'version: 1\ntargets:\n  main: { baseUrl: "https://host.invalid", keyless: true, limit: none, pools: { v1: [1] } }\n';
  const { code, stdout } = await called(config('limit.yaml', text));
  expect([code, stdout]).toEqual([0, expect.stringContaining('requests, which nothing counts')]);
  expect(stdout).not.toContain('10,000');
});
