import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binance } from '@candleproof/doubles/binance.double';
import { coinbase } from '@candleproof/doubles/coinbase.double';
import { worlds } from '@candleproof/doubles/double';
import { kraken } from '@candleproof/doubles/kraken.double';
import { openVenue } from '@candleproof/doubles/open-venue';
import { passingFolder } from '@candleproof/files/testing/passing-folder';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import type { ShellSetting } from '@candleproof/testing/block-shell';

/** A folder of files for each page, and hosts on loopback, with which its blocks can be run. */
export type PageSetting = { of(page: string): ShellSetting; close(): Promise<void> };

const [world = { seed: 1, opensAt: '', age: 0 }] = worlds;
const venues = { kraken, binance, coinbase };
const dayMs = 86_400_000;

/** Opens what stands in for the reader's hosts: the reference service, and imitations of exchanges. */
export async function openPageSetting(): Promise<PageSetting> {
  const home = passingFolder();
  const service = await startBuilt({ http: true, seed: 1 });
  const doubles = await Promise.all(
    Object.entries(venues).map(async ([name, venue]) => {
      // `init` and a monitor go by the clock of this machine.
      const opensAt = venue === binance ? new Date().toISOString() : world.opensAt;
      return { name, ...(await openVenue(venue, { ...world, opensAt })) };
    }),
  );
  const authorities = join(home, 'ca.pem');
  writeFileSync(authorities, doubles.map(({ ca }) => ca).join('\n'));
  const binanceAt = doubles.find(({ name }) => name === 'binance')?.url;
  const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
  const anotherApi = {
    "'https://HOST/candles?symbol=X&interval=1h&from=1795700000&to=1796000000'": `'${binanceAt}/api/v3/klines?symbol=ETHUSDT&interval=1h&startTime=${Date.now() - 4 * dayMs}&endTime=${Date.now()}'`,
    '--base-url https://HOST --pools X,Y': `--base-url ${binanceAt} --pools ETHUSDT,ADABTC`,
  };
  const typed = {
    ...anotherApi,
    'https://HOST': service.url,
    'http://127.0.0.1:8080': service.url,
    '--pools-v1 1,2': '--pools-v1 0,1',
    'CANDLEPROOF_API_KEY=…': `CANDLEPROOF_API_KEY=${service.apiKey}`,
    '--from 2026-01-01 --to 2026-07-01T00:00Z': `--from ${day(20)} --to ${day(1)}`,
    ...Object.fromEntries(
      doubles.flatMap(({ name, url }) => [
        [`https://api.${name}.com`, url],
        // A document's own server is never one on loopback: the address has to be given.
        [`check --spec ${name}`, `check --spec ${name} --base-url ${url}`],
      ]),
    ),
    'check --spec exchange.yaml': `check --spec exchange.yaml --base-url ${binanceAt}`,
    'init --spec exchange.yaml': `init ${binanceAt} --spec exchange.yaml`,
    ' --try': ` --try ${binanceAt}`,
  };
  return {
    of: (page) => {
      const folder = join(home, page.replaceAll('/', '-'));
      mkdirSync(folder, { recursive: true });
      writeFiles(folder, service.url);
      writeFileSync(join(folder, 'key'), service.apiKey, { mode: 0o600 });
      return {
        ...{ folder, typed, command: String(process.env.CANDLEPROOF_COMMAND) },
        variables: { CANDLEPROOF_API_KEY: service.apiKey, NODE_EXTRA_CA_CERTS: authorities },
      };
    },
    close: async () => {
      for (const double of doubles) double.close();
      await service.close();
    },
  };
}

/** Writes the files that pages name: targets, tables, a recording, a document and a market. */
function writeFiles(folder: string, url: string): void {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const target = { baseUrl: url, key: 'main', network: 'testnet', pools: { v1: [1], v2: [1, 3] } };
  const targets = { main: target, mainnet: target, testnet: target };
  const keys = { main: { file: 'key', limit: 10_000 } };
  // A config holds its targets to one document, and this page is about another one.
  if (!folder.endsWith('another-api.md'))
    write('candleproof.yaml', JSON.stringify({ version: 1, keys, targets }));
  for (const name of ['BTC-5m.csv', 'BTC-1h.csv'])
    write(name, readFileSync(join('docs', 'sample', name), 'utf8'));
  write('traffic.har', readFileSync('tests/fixtures/mitmproxy-f31.har', 'utf8'));
  write('exchange.yaml', readFileSync('gallery/binance/openapi.yaml', 'utf8'));
  const [, market = ''] = /^```json\n(.*?)^```$/ms.exec(readFileSync('docs/service.md', 'utf8')) ?? [];
  write('market.ndjson', market);
}
