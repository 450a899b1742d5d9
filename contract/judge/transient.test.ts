import { expect, test } from '@playwright/test';
import { loadSpec } from '../document/load-spec.ts';
import { status, withExchanges } from '../worlds/damage.ts';
import { record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';
import { judge } from './judge.ts';

const spec = loadSpec('openapi.yaml');
const usual = record(usualWorld);
const replay = (): string => '';

test('a failure that passed when requested again is reported and counted', () => {
  const twice = withExchanges(usual, (all) =>
    all.flatMap((each) =>
      /\/tokens$/.test(each.request.url) ? [status(503)(each), status(503)(each), each] : [each],
    ),
  );
  const { transient, findings } = judge(spec, twice.recording, { replay });
  expect(transient).toContainEqual(
    expect.objectContaining({ operation: 'listTokens', failure: 'status 503' }),
  );
  expect(transient.every((each) => each.count % 2 === 0)).toBe(true);
  expect(findings.map((each) => each.rule)).not.toContain('transport/proper-requests-are-answered');
});

test('a failure that stays is no passing one', () => {
  const gone = withExchanges(usual, (all) =>
    all.map((each) => (/latest/.test(each.request.url) ? status(503)(each) : each)),
  );
  expect(judge(spec, gone.recording, { replay }).transient).toEqual([]);
  expect(judge(spec, usual.recording, { replay }).transient).toEqual([]);
});
