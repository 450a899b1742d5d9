import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Run } from '../../contract/judge/verdict.ts';
import { checkApi } from '../support/check-api.ts';
import { binance } from './binance.double.ts';
import { bitstamp } from './bitstamp.double.ts';
import { bybit } from './bybit.double.ts';
import { coinbase } from './coinbase.double.ts';
import { type DoubleWorld, oldWorld, tradesAloneWorld, worlds } from './double.ts';
import { type DoubleFault, furtherFaults, galleryFaults } from './faults.ts';
import { gate } from './gate.double.ts';
import { geckoterminal } from './geckoterminal.double.ts';
import { okx } from './okx.double.ts';
import { openVenue } from './open-venue.ts';
import type { Venue } from './venue.ts';

/** Most requests of a run. */
const budget = 20;

/** The zones of hosts that worlds are judged in, in turn. */
const zones = ['Asia/Kolkata', 'America/Los_Angeles', 'UTC'];

const { openRowBehind, swappedExtremes, lateRow, otherScale, ...others } = furtherFaults;
const { otherColumn, lateClose, otherZone, endIgnored, lostBetweenPages, fewerDigits } = others;
const common = [openRowBehind, swappedExtremes, lateRow, otherScale];

type Entry = {
  readonly venue: Venue;
  readonly key?: string;
  /** Worlds beside the usual ones. */
  readonly worlds?: readonly DoubleWorld[];
  readonly furtherFaults?: readonly (DoubleFault & { readonly rule: string })[];
};

const entries: Readonly<Record<string, Entry>> = {
  binance: {
    venue: binance,
    worlds: [oldWorld, tradesAloneWorld],
    furtherFaults: [...common, otherColumn, lateClose, otherZone],
  },
  bitstamp: { venue: bitstamp },
  bybit: { venue: bybit },
  coinbase: { venue: coinbase },
  gate: { venue: gate },
  geckoterminal: {
    venue: geckoterminal,
    furtherFaults: [...common, endIgnored, lostBetweenPages, fewerDigits],
  },
  okx: { venue: okx },
};

for (const [name, entry] of Object.entries(entries)) {
  for (const [at, world] of [...worlds, ...(entry.worlds ?? [])].entries()) {
    const zone = zones[at % zones.length] ?? '';
    const tags = at < 2 ? {} : { tag: '@thorough' };
    test(`${name} of ${world.opensAt} on a host in ${zone} is accused of nothing`, tags, async () => {
      const run = await inZone(zone, () => check(name, entry, world));
      expect(run.findings.map(({ rule, pointer, actual }) => ({ rule, pointer, actual }))).toEqual([]);
      expect(run.verdict).toBe('conformant');
      expect(run.requests.sent).toBeLessThanOrEqual(budget);
      const passed = run.rules.filter(({ level, outcome }) => level === 'must' && outcome === 'passed');
      expect(passed.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['candle/high-is-highest', 'rollup/open-is-the-first']),
      );
    });
  }

  test(`${name} shows the faults that the gallery's page says`, async () => {
    const missed: string[] = [];
    for (const fault of galleryFaults) {
      const rules = await findBroken(name, entry, fault);
      if (rules.length === 0) missed.push(fault.name);
      else if (fault.rule) expect(rules, fault.name).toContain(fault.rule);
    }
    const row = readFileSync('docs/gallery.md', 'utf8').match(`\\| ${name} \\| (\\d+) of 10 \\|(.*)\\|`);
    expect(Number(row?.[1])).toBe(galleryFaults.length - missed.length);
    for (const fault of missed) expect(row?.[2]).toContain(`${fault}: `);
  });

  for (const fault of entry.furtherFaults ?? [])
    test(`${name} with ${fault.name} breaks ${fault.rule}`, async () => {
      expect(await findBroken(name, entry, fault)).toContain(fault.rule);
    });
}

/** Returns the rules at level must that a fault breaks. */
async function findBroken(name: string, entry: Entry, fault: DoubleFault): Promise<string[]> {
  const [world] = worlds as [DoubleWorld];
  const { verdict, findings } = await check(name, entry, world, fault);
  const broken = findings.filter(({ level }) => level === 'must').map(({ rule }) => rule);
  expect(verdict, fault.name).toBe(broken.length > 0 ? 'nonconformant' : 'conformant');
  return broken;
}

/** Checks a venue's double with its document. */
async function check(name: string, { venue }: Entry, world: DoubleWorld, fault?: DoubleFault): Promise<Run> {
  const double = await openVenue(venue, world, fault);
  try {
    const document = `gallery/${name}/openapi.yaml`;
    const [, basePath = ''] =
      /^ {2}- url: https:\/\/[^/\s]+(\S*)/m.exec(readFileSync(document, 'utf8')) ?? [];
    const flags = ['--budget', String(budget)];
    const target = {
      baseUrl: `${double.url}${basePath}`,
      ca: double.ca,
      pools: double.pools,
      document,
      flags,
    };
    const { code, stdout, stderr, run } = await checkApi(
      target,
      test.info().outputPath(fault?.name ?? 'run'),
    );
    if (!run) throw new Error(`the check ended with ${code}: ${stdout}${stderr}`);
    expect(code).toBe(run.verdict === 'conformant' ? 0 : 1);
    return run;
  } finally {
    double.close();
  }
}

/** Runs work as on a host in another time zone. */
async function inZone<T>(zone: string, work: () => Promise<T>): Promise<T> {
  const { TZ: before } = process.env;
  process.env.TZ = zone;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}
