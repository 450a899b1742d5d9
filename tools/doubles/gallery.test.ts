import { readFileSync } from 'node:fs';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { buildPath } from '@candleproof/document/spec/request-path';
import type { NamedInterval } from '@candleproof/document/spec/roles';
import { moveParameters } from '@candleproof/document/spec/sent-request';
import type { Operation } from '@candleproof/document/spec/spec';
import type { Run } from '@candleproof/law/judge/verdict';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { explainDocument } from '@candleproof/law/rules/understanding';
import { runInZone } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import { binance } from './binance.double.ts';
import { bitget } from './bitget.double.ts';
import { bitstamp } from './bitstamp.double.ts';
import { bybit } from './bybit.double.ts';
import { checkVenue, listFindings, readBasePath } from './check-venue.ts';
import { coinbase } from './coinbase.double.ts';
import { type DoubleWorld, oldWorld, tradesAloneWorld, worlds } from './double.ts';
import { type DoubleFault, furtherFaults, galleryFaults } from './faults.ts';
import { gate } from './gate.double.ts';
import { gateFutures } from './gate-futures.double.ts';
import { geckoterminal } from './geckoterminal.double.ts';
import { hyperliquid } from './hyperliquid.double.ts';
import { kraken } from './kraken.double.ts';
import { mexc } from './mexc.double.ts';
import { okx } from './okx.double.ts';
import { polygon, polygonCrypto } from './polygon.double.ts';
import { firstLine, measureShare, readTitles } from './titles.ts';
import { twelvedata } from './twelvedata.double.ts';
import { upbit } from './upbit.double.ts';
import { Refused, type Venue } from './venue.ts';

/** Most requests of a run. */
const budget = 20;

/** The zones of hosts that worlds are judged in, in turn. */
const zones = ['Asia/Kolkata', 'America/Los_Angeles', 'UTC'];

const { openRowBehind, swappedExtremes, lateRow, otherScale, ...others } = furtherFaults;
const { otherColumn, lateClose, otherZone, endIgnored, lostBetweenPages, fewerDigits } = others;
const { millisecondLate, allMillisecondsLate } = others;
const common = [openRowBehind, swappedExtremes, lateRow, otherScale];

/** The groups of rules that the gallery's page counts. */
const pageGroups = ['transport', 'authentication', 'errors', 'candle', 'history', 'rollup'];

type Entry = {
  readonly venue: Venue;
  /** Worlds beside the usual ones. */
  readonly worlds?: readonly DoubleWorld[];
  readonly furtherFaults?: readonly (DoubleFault & { readonly rule: string })[];
};

const entries: Readonly<Record<string, Entry>> = {
  binance: {
    venue: binance,
    worlds: [oldWorld, tradesAloneWorld],
    furtherFaults: [...common, otherColumn, lateClose, otherZone, millisecondLate],
  },
  bitget: { venue: bitget },
  bitstamp: { venue: bitstamp },
  bybit: { venue: bybit },
  coinbase: { venue: coinbase },
  gate: { venue: gate },
  'gate-futures': { venue: gateFutures },
  geckoterminal: {
    venue: geckoterminal,
    furtherFaults: [...common, endIgnored, lostBetweenPages, fewerDigits],
  },
  hyperliquid: { venue: hyperliquid },
  kraken: { venue: kraken },
  mexc: { venue: mexc },
  okx: { venue: okx, furtherFaults: [millisecondLate, allMillisecondsLate] },
  polygon: { venue: polygon },
  twelvedata: { venue: twelvedata },
  upbit: { venue: upbit },
};

const titles = readTitles('titles.txt');

test('most first lines name the part and the defect, and few others', () => {
  expect(titles).toHaveLength(147);
  expect(measureShare('right', titles)).toBeGreaterThanOrEqual(0.85);
  expect(measureShare('wrong', titles)).toBeLessThanOrEqual(0.03);
});

for (const [place, [name, entry]] of Object.entries(entries).entries()) {
  for (const [at, world] of [...worlds, ...(entry.worlds ?? [])].entries()) {
    const zone = zones[at % zones.length] ?? '';
    const tag = at === 0 ? [] : at === 1 ? '@endurance' : '@thorough';
    test(`${name} of ${world.opensAt} on a host in ${zone} is accused of nothing`, { tag }, async () => {
      const run = await runInZone(zone, () => check(name, entry, world));
      expect(listFindings(run)).toEqual([]);
      expect(run.verdict).toBe('conformant');
      expect(run.requests.sent).toBeLessThanOrEqual(budget);
      const passed = run.rules.filter(({ level, outcome }) => level === 'must' && outcome === 'passed');
      expect(passed.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['candle/high-is-highest', 'rollup/open-is-the-first']),
      );
    });
  }

  test(`${name} is judged by as many rules as the gallery's page says`, () => {
    const { groups } = explainDocument(loadSpec(`gallery/${name}/openapi.yaml`), catalogue);
    const total = groups.reduce((sum, { judged }) => sum + judged, 0);
    const shown = groups.filter(({ group }) => pageGroups.includes(group)).map(({ judged }) => judged);
    expect(pageRow(name, String(total))).toBe(`| ${[name, total, ...shown].join(' | ')} |`);
    expect(groups.every(({ group, judged }) => judged === 0 || pageGroups.includes(group))).toBe(true);
  });

  test(`${name} cuts a long range as the gallery's page says`, () => {
    const row = pageRow(name, '[^|]*');
    const beyond = Number(/beyond (\d+)/.exec(row)?.[1]);
    const { order, idle, flatAfterMs } = entry.venue;
    // A row that comes late is none at first.
    const isThere = idle === 'flat' && flatAfterMs === undefined;
    expect(row).toContain(`| ${order} | has ${isThere ? 'a' : 'no'} row |`);
    expect(row).toContain(`| ${readLongRange(name, entry, beyond)} beyond ${beyond}`);
  });

  test(`${name} shows the faults that the gallery's page says`, async () => {
    const row = pageRow(name, '\\d+ of 10');
    const isMissed = (fault: DoubleFault) => row.includes(`${fault.name}: `);
    expect(row).toContain(`| ${galleryFaults.filter((fault) => !isMissed(fault)).length} of 10 |`);
    for (const fault of galleryFaults.filter((known, index) => isMissed(known) || isTried(place, index))) {
      const { rules, title } = await findBroken(name, entry, fault);
      expect(rules.length === 0, fault.name).toBe(isMissed(fault));
      if (title !== undefined)
        expect(titles).toContainEqual(expect.objectContaining({ venue: name, fault: fault.name, title }));
      if (fault.rule && !isMissed(fault)) expect(rules, fault.name).toContain(fault.rule);
    }
  });

  for (const fault of entry.furtherFaults ?? [])
    test(`${name} with ${fault.name} breaks ${fault.rule}`, async () => {
      const { rules } = await findBroken(name, entry, fault);
      expect(rules).toContain(fault.rule);
    });
}

/** Returns whether an entry tries a fault: one in ten, so that each fault is tried by one; in a pipeline three in ten. */
function isTried(place: number, fault: number): boolean {
  const each = process.env.CI === 'true' ? 3 : 1;
  return Boolean(process.env.CANDLEPROOF_THOROUGH) || (fault + 3 * place) % 10 < each;
}

/** Returns the row of the gallery's page that begins with an entry's name and a cell of this pattern. */
function pageRow(name: string, cell: string): string {
  const [row] =
    readFileSync('docs/gallery.md', 'utf8').match(new RegExp(`^\\| ${name} \\| ${cell} \\|.*`, 'm')) ?? [];
  if (row === undefined) throw new Error(`docs/gallery.md has no row of ${name} with ${cell}`);
  return row;
}

/** Words how a venue takes a range of three times as many intervals as it has rows at most. */
function readLongRange(name: string, { venue }: Entry, most: number): string {
  const { operations, intervals } = loadSpec(`gallery/${name}/openapi.yaml`);
  const [operation, interval] = [operations[0] as Operation, intervals[0] as NamedInterval];
  const now = 1_773_243_120;
  const values = { pool: venue.pools[0], interval: interval.name, to: now, limit: most };
  const read = (count: number) => {
    const built = buildPath(operation, { ...values, from: now - count * interval.seconds });
    const { path, body = '' } = moveParameters({ operations }, built);
    const url = new URL(`${readBasePath(readEntry(name))}${path}`, 'https://double.invalid');
    const request = { path: decodeURIComponent(url.pathname), query: url.searchParams, body };
    return venue.read({ ...request, now: now * 1000 });
  };
  expect(read(most).limit).toBe(most);
  try {
    const { limit, keepsOldest } = read(3 * most);
    expect(limit).toBe(most);
    return keepsOldest ? 'loses its newest rows' : 'loses its oldest rows';
  } catch (error) {
    expect(error).toBeInstanceOf(Refused);
    return 'is refused';
  }
}

/** Returns the rules that a fault breaks, of its level, and the first line of the report without its numbers. */
async function findBroken(
  name: string,
  entry: Entry,
  fault: DoubleFault,
): Promise<{ readonly rules: readonly string[]; readonly title: string | undefined }> {
  const [world] = worlds as [DoubleWorld];
  const run = await check(name, entry, world, fault);
  const { verdict, reason, findings } = run;
  const broken = Map.groupBy(findings, ({ level }) => level);
  // A failing should may leave musts open.
  if (verdict === 'inconclusive' && !broken.has('must'))
    expect(reason, fault.name).toContain(`${fault.rule}`);
  else expect(verdict, fault.name).toBe(broken.has('must') ? 'nonconformant' : 'conformant');
  return {
    rules: (broken.get(fault.level ?? 'must') ?? []).map(({ rule }) => rule),
    title: firstLine(run),
  };
}

/** Checks a venue's double by its entry. */
function check(name: string, { venue }: Entry, world: DoubleWorld, fault?: DoubleFault): Promise<Run> {
  return checkVenue(venue, readEntry(name), world, fault, ['--budget', String(budget)]);
}

function readEntry(name: string): string {
  return readFileSync(`gallery/${name}/openapi.yaml`, 'utf8');
}

test('the entry of polygon takes stocks, crypto, currencies, indices and options', () => {
  const [operation] = loadSpec('gallery/polygon/openapi.yaml').operations;
  const ticker = operation?.parameters.find(({ role }) => role === 'pool');
  for (const pool of ['AAPL', 'BRK.B', 'X:BTCUSD', 'C:EURUSD', 'I:SPX', 'O:SPY251219C00650000'])
    expect(ticker?.accepts(pool), pool).toBe(true);
  expect(ticker?.accepts('Z:BTCUSD')).toBe(false);
});

test('days of crypto, which begin in UTC, accuse nobody by the entry of polygon', async () => {
  const [world] = worlds as [DoubleWorld];
  const run = await check('polygon', { venue: polygonCrypto }, world);
  expect([run.verdict, listFindings(run)]).toEqual(['conformant', []]);
});
