import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import { all, bodiless, type Distort, damageExchange, status, text } from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';

const unknown = {
  rule: 'errors/unknown-pool-has-no-candles',
  expected: 'no candles of a pool that nobody made',
} as const;

const reversed = {
  rule: 'errors/reversed-range-has-no-candles',
  expected: 'no candles of a range that ends before it begins',
} as const;

/** A 200 is always counted, in this world too. */
const world = { refusalsCount: true };

type Whole = (recorded: NamedRecording) => NamedRecording;

/** Gives a faulty request the body of a proper one, perhaps after its own URL was respelled. */
function answerAs(name: string, proper: string, respell: (url: string) => string = (url) => url): Whole {
  return (recorded) => {
    const body = recorded.recording.exchanges[recorded.names.indexOf(proper)]?.response?.body?.text ?? '';
    return damageExchange(recorded, name, all(status(200), text(body), atUrl(respell)));
  };
}

function atUrl(respell: (url: string) => string): Distort {
  return (exchange) => ({
    ...exchange,
    request: { ...exchange.request, url: respell(exchange.request.url) },
  });
}

const nameOther = (pool: string) => (url: string) => url.replace('/-1?', `/${pool}?`);

const latestUnknown = 'https://target.invalid/api/pools/conversionRates/latest/999999937?interval=HOUR';

/** Requests the latest candle of an unknown pool, and answers it in some way. */
function answerLatest(...damages: readonly Distort[]): Whole {
  return (recorded) => {
    const { response } = recorded.recording.exchanges[recorded.names.indexOf('latest HOUR')] ?? {};
    const body = text(response?.body?.text ?? '');
    return damageExchange(
      recorded,
      'inverted-in-capitals',
      all(
        status(200),
        body,
        atUrl(() => latestUnknown),
        ...damages,
      ),
    );
  };
}

export const oddPoolBreaches: readonly BreachCase[] = [
  ...['1.5', 'one', '-1'].map(
    (pool): BreachCase => ({
      ...unknown,
      what: `the candles of a pool for ${pool}`,
      world,
      whole: answerAs('pool-negative', 'week HOUR', nameOther(pool)),
      actual: /^\d+ candles$/,
    }),
  ),
  {
    ...unknown,
    what: 'the latest candle of another pool for one that nobody made',
    world,
    operation: 'getLatestV1PoolCandle',
    whole: answerLatest(),
    actual: '1 candle',
    also: ['candle/pool-is-as-asked'],
  },
  {
    ...unknown,
    what: 'a latest candle that is made up for a pool that nobody made',
    world,
    operation: 'getLatestV1PoolCandle',
    whole: answerLatest(text((body) => body.replace(/"poolId":\d+/, '"poolId":999999937'))),
    actual: '1 candle',
    also: ['history/pools-differ'],
  },
  {
    ...reversed,
    what: 'the candles of the range the other way around',
    world,
    whole: answerAs('from-after-to', 'week HOUR'),
    actual: /^\d+ candles$/,
  },
];

export const oddPoolNearMisses: readonly NearMiss[] = [
  {
    ...unknown,
    what: 'the candles of pool 1 for 1.0',
    world,
    whole: answerAs('pool-negative', 'week HOUR', nameOther('1.0')),
    evidence: 2,
  },
  ...['null', '{}', '{"message":"no such pool"}'].map(
    (body): NearMiss => ({
      ...unknown,
      what: `${body} for the latest candle of a pool that nobody made`,
      world,
      whole: answerLatest(text(body)),
      evidence: 4,
    }),
  ),
  {
    ...unknown,
    what: 'a refusal of the latest candle of a pool that nobody made',
    whole: answerLatest(status(404), text('{"message":"Not so"}')),
    evidence: 4,
  },
  { ...reversed, what: 'an empty list', world, at: 'from-after-to', damage: all(status(200), text('[]')) },
  { ...reversed, what: 'a refusal', at: 'from-after-to', damage: status(422) },
  {
    ...reversed,
    what: 'an answer that is not held',
    world,
    at: 'from-after-to',
    damage: all(status(200), bodiless),
    outcome: 'unexercised',
  },
];
