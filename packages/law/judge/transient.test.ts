import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { status, withExchanges } from '../worlds/damage.ts';
import { record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';
import { judge } from './judge.ts';

const spec = loadSpec('openapi.yaml');
const usual = record(usualWorld);
const replay = (): string => '';

test('a failure that passed when requested again is reported and counted', () => {
  const twice = withExchanges(usual, (all) =>
    all.flatMap((exchange) =>
      /\/tokens$/.test(exchange.request.url)
        ? [status(503)(exchange), status(503)(exchange), exchange]
        : [exchange],
    ),
  );
  const { transient, findings } = judge(spec, twice.recording, { replay });
  expect(transient).toContainEqual(
    expect.objectContaining({ operation: 'listTokens', failure: 'status 503' }),
  );
  expect(transient.every((transientFailure) => transientFailure.count % 2 === 0)).toBe(true);
  expect(findings.map((finding) => finding.rule)).not.toContain('transport/proper-requests-are-answered');
});

test('a failure that stays is no passing one', () => {
  const gone = withExchanges(usual, (all) =>
    all.map((exchange) => (/latest/.test(exchange.request.url) ? status(503)(exchange) : exchange)),
  );
  expect(judge(spec, gone.recording, { replay }).transient).toEqual([]);
  expect(judge(spec, usual.recording, { replay }).transient).toEqual([]);
});
