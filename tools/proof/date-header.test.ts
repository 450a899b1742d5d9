import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Distortion } from '@candleproof/reference-service/api/distortion';
import type { Reply } from '@candleproof/reference-service/api/message';
import { withHeader, withoutHeaders } from '@candleproof/reference-service/faults/bending/bent-reply';
import { expect, test } from '@playwright/test';
import { checkService } from 'candleproof/kill-matrix/check-service';
import { type Distorted, withDistortedService } from './testing/distorted-service.ts';
import { formatFindings } from './testing/explore-service.ts';

const spec = loadSpec('openapi.yaml');
const hour = 3_600_000;

const dates: Readonly<Record<string, (reply: Reply, now: number) => Reply>> = {
  missing: (reply) => withoutHeaders(reply, 'date'),
  malformed: (reply) => withHeader(reply, 'Date', 'a quarter past nine'),
  'an hour late': (reply, now) => withHeader(reply, 'Date', new Date(now - hour).toUTCString()),
  'of 1970': (reply) => withHeader(reply, 'Date', new Date(0).toUTCString()),
};

const faults: Readonly<Record<string, Distortion>> = {
  'a wrong hour': {
    candle: (candle, { poolQuery }) =>
      poolQuery?.interval === 'HOUR' && candle.startTimestampSeconds % 86_400 === 43_200
        ? { ...candle, volume: `${2n * BigInt(candle.volume)}` }
        : candle,
  },
  'a lost row': {
    rows: (rows, { poolQuery }) =>
      poolQuery?.interval === 'HOUR'
        ? rows.filter((row) => row.startTimestampSeconds % 86_400 !== 43_200)
        : rows,
  },
  'a stale day': {
    rows: (rows, { poolQuery }) =>
      poolQuery?.interval === 'DAY'
        ? rows.map((row, at) => ({
            ...(rows[at - 1] ?? row),
            startTimestampSeconds: row.startTimestampSeconds,
            timestampSeconds: row.timestampSeconds,
          }))
        : rows,
  },
};

const musts = async (service: Distorted, distortions: readonly Distortion[]) => {
  service.distortions = distortions;
  const outcome = await checkService(service, { spec });
  const failed = outcome.run.findings.filter(({ level }) => level === 'must').map(({ rule }) => rule);
  return { ...outcome.run, failed: [...new Set(failed)], reported: formatFindings(outcome) };
};

for (const [place, [name, distort]] of Object.entries(dates).entries()) {
  const date: Distortion = { reply: (reply, { now }) => distort(reply, now) };

  test(`a Date that is ${name} hides no fault and breaks only rules about the Date`, {
    tag: place === 0 ? [] : '@endurance',
  }, async () => {
    await withDistortedService(async (service) => {
      const sound = await musts(service, [date]);
      expect(sound.failed, sound.reported.join()).toEqual([]);
      const shoulds = new Set(sound.findings.map(({ rule }) => rule));
      expect([...shoulds], sound.reported.join()).toEqual(['transport/date-is-the-time']);
      const tried = Object.entries(faults).filter(
        (_, index) => process.env.CANDLEPROOF_THOROUGH || index === place % 3,
      );
      for (const [what, fault] of tried) {
        const bent = await musts(service, [fault, date]);
        expect(bent.verdict, `${what}: ${bent.reason}`).toBe('nonconformant');
      }
    }, Date.now());
  });
}
