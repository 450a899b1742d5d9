import fc, { type Arbitrary } from 'fast-check';
import { intervalSeconds, memberships, usualWorld, type World, type WorldInterval } from './world.ts';

/** Weeks that begin on Thursday, Sunday and Monday. */
const weekPhases = [0, 259_200, 345_600];

/** Times shortly before and after a boundary of the clock, where most faults show. */
const nearBoundary: Arbitrary<number> = fc
  .tuple(
    fc.constantFrom<WorldInterval | 'month'>('FIVEMIN', 'HOUR', 'DAY', 'WEEK', 'month'),
    fc.constantFrom(...weekPhases),
    fc.integer({ min: 0, max: 500 }),
    fc.integer({ min: -150, max: 400 }),
  )
  .map(([boundary, phase, place, off]) => {
    if (boundary === 'month') return Date.UTC(2024, place % 40, 1) / 1000 + off;
    const length = intervalSeconds[boundary];
    const near = 1_770_000_000 + place * 86_400;
    return near - (near % length) + (boundary === 'WEEK' ? phase : 0) + off;
  });

const anyTime = fc.integer({ min: 1_700_000_000, max: 1_900_000_000 });

/** From a pool that is minutes old to one that always existed. */
const ages = fc.array(
  fc.oneof(
    { arbitrary: fc.constant(1e9), weight: 3 },
    { arbitrary: fc.integer({ min: 300, max: 20 * 86_400 }), weight: 1 },
  ),
  { minLength: 1, maxLength: 3 },
);

const pools = fc.uniqueArray(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 3 });

const refusals = fc.constantFrom<World['refusal']>(
  usualWorld.refusal,
  { status: 403, mediaType: 'text/plain', body: '' },
  { status: 400, mediaType: 'text/html', body: '<h1>No</h1>' },
  { status: 404, mediaType: 'application/json', body: '{"error":{"code":5}}' },
  { status: 302, mediaType: 'text/html', body: 'elsewhere' },
);

const market = {
  poolsV1: pools,
  poolsV2: pools,
  ages,
  prices: fc.constantFrom('flat' as const, 'ticks' as const, 'gentle' as const, 'wild' as const),
  priceLevel: fc.integer({ min: -6, max: 6 }).map((power) => 1.234567890123 * 10 ** power),
  constant: fc.constantFrom(1, 1e16),
  trades: fc.constantFrom(0, 0.02, 0.4, 1),
  usd: fc.record({
    cents: fc.constantFrom('rounded' as const, 'cut' as const),
    text: fc.constantFrom('shortest' as const, 'two decimals' as const),
  }),
};

const habits = {
  dayPhase: fc.constantFrom(0, 0, 4 * 3600, 18.5 * 3600),
  weekPhase: fc.constantFrom(...weekPhases),
  membership: fc.constantFrom(...memberships),
  openInHistory: fc.boolean(),
  openEnd: fc.constantFrom('last observation' as const, 'interval end' as const),
  endsEarly: fc.constantFrom(0 as const, 1 as const, 60 as const),
  descending: fc.boolean(),
  tokens: fc.integer({ min: 1, max: 6 }),
  extraFields: fc.boolean(),
  trading: fc.boolean(),
  refusal: refusals,
  refusalsCount: fc.boolean(),
  lenient: fc.boolean(),
  tags: fc.boolean(),
  bursts: fc.boolean(),
  otherKey: fc.boolean(),
  foreign: fc.constantFrom(0, 0, 5),
  keyless: fc.constantFrom(false, false, true),
  compressed: fc.boolean(),
  titleCase: fc.boolean(),
};

/** Months end in any zone; the allowance may run out during the run. */
const quotas = fc.record({
  limit: fc.constant(1000),
  used: fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 975, max: 1010 })),
  zone: fc.integer({ min: -48, max: 56 }).map((quarter) => quarter * 900),
  early: fc.constantFrom(0 as const, 1 as const),
  servedBeyond: fc.constant(true),
});

/** Worlds in which everything is observed and reported in full, with every choice that the document leaves open. */
export const worlds: Arbitrary<World> = fc.record({
  seed: fc.integer({ min: 0, max: 1e6 }),
  now: fc.oneof(nearBoundary, anyTime),
  pace: fc.constantFrom(0.01, 0.3, 2.9, 30),
  lag: fc.integer({ min: 0, max: 90 }),
  dateLag: fc.constantFrom(0, 1),
  ...market,
  ...habits,
  digits: fc.constant(undefined),
  sharedBoundaries: fc.constant(false),
  outages: fc.constant(0),
  quota: quotas,
  scope: fc.constant(usualWorld.scope),
});

/** Worlds that may also round prices or miss observations, so that averages leave some questions open. */
export const roughWorlds: Arbitrary<World> = fc
  .tuple(worlds, fc.constantFrom(undefined, 5, 8, 9, 12, 'single' as const), fc.constantFrom(0, 0.02))
  .map(([world, digits, outages]) => ({ ...world, digits, outages }));
