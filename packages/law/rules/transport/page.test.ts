import { expect, test } from '@playwright/test';
import { judgeIt } from '../../worlds/breach-case.ts';
import { all, header, status, text, withExchanges } from '../../worlds/damage.ts';
import { record } from '../../worlds/recorded.ts';
import { usualWorld } from '../../worlds/world.ts';

const usual = record(usualWorld);
const page = all(
  status(200),
  header('content-type', 'text/html'),
  text('<!doctype html><p>Are you a robot?'),
);

/** Judges the usual run in which a page answers requests with these credentials. */
function judgeWithPages(credentials: RegExp) {
  return judgeIt(
    withExchanges(usual, (exchanges) =>
      exchanges.map((exchange, at) =>
        credentials.test(exchange.request.credential) && / unkeyed$|^tokens$/.test(usual.names[at] ?? '')
          ? page(exchange)
          : exchange,
      ),
    ),
  );
}

test('a page that answers requests without a key is not said to be data', () => {
  const { findings, rules, verdict } = judgeWithPages(/^none$/);
  expect(new Set(findings.map(({ rule, sentence }) => `${rule}: ${sentence}`))).toEqual(
    new Set(
      ['strict-json', 'media-type-is-json'].map(
        (name) => `transport/${name}: A page, not the API, answered the request without a key.`,
      ),
    ),
  );
  expect(verdict).toBe('nonconformant');
  expect(rules.find(({ id }) => id === 'authentication/key-is-required')).toMatchObject({
    outcome: 'inconclusive',
    reason: 'a page, not the API, answered the request without a key (status 200)',
  });
});

test('a page that answers the key is named as such', () => {
  const { findings } = judgeWithPages(/^api-key$/);
  expect(new Set(findings.map(({ sentence }) => sentence))).toEqual(
    new Set(['A page, not the API, answered.']),
  );
});
