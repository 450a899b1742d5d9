import { expect, test } from '@playwright/test';
import { judgeIt } from '../../worlds/breach-case.ts';
import { type Distort, header, withExchanges } from '../../worlds/damage.ts';
import { type NamedRecording, record } from '../../worlds/recorded.ts';
import { usualWorld, type World } from '../../worlds/world.ts';

function answer(id: string, recorded: NamedRecording): string | undefined {
  return judgeIt(recorded).observations.find((observation) => observation.id === id)?.answer;
}

function inWorld(id: string, choice: Partial<World> = {}): string | undefined {
  return answer(id, record({ ...usualWorld, ...choice }));
}

function everywhere(id: string, damage: Distort): string | undefined {
  return answer(
    id,
    withExchanges(record(usualWorld), (all) => all.map(damage)),
  );
}

const refusals: [World['refusal'], string][] = [
  [usualWorld.refusal, '401 with an object of message'],
  [{ status: 403, mediaType: 'text/plain', body: 'No' }, '403 with a body that is no JSON'],
  [{ status: 400, mediaType: 'application/json', body: '[]' }, '400 with a list'],
  [{ status: 404, mediaType: 'application/json', body: '"no"' }, '404 with a plain value'],
  [{ status: 302, mediaType: 'text/html', body: '' }, '302 without a body'],
];

for (const [refusal, reported] of refusals) {
  test(`a refusal is reported as ${reported}`, () => {
    expect(inWorld('authentication/refusal', { refusal })).toBe(reported);
  });
}

test('a keyless service has no refusal to tell of', () => {
  expect(inWorld('authentication/refusal', { keyless: true })).toBeUndefined();
});

test('the end of the quota’s month tells its zone', () => {
  const quota = usualWorld.quota;
  expect(inWorld('quota/zone')).toBe('a month’s end at UTC+00:00, its last millisecond');
  expect(inWorld('quota/zone', { quota: { ...quota, zone: -4 * 3600, early: 0 } })).toBe(
    'a month’s end at UTC-04:00',
  );
  expect(inWorld('quota/zone', { quota: { ...quota, zone: 5.5 * 3600, early: 1 } })).toBe(
    'a month’s end at UTC+05:30, its last millisecond',
  );
});

test('leave for other origins is reported with the origin', () => {
  expect(inWorld('transport/cross-origin')).toBe('not offered');
  expect(everywhere('transport/cross-origin', header('access-control-allow-origin', '*'))).toBe('*');
});
