import { loadSpec } from '@candleproof/document/spec/load-spec';
import { type Requested, recognizeRequest } from '@candleproof/law/reading/requested';
import { expect, test } from '@playwright/test';
import { listRelations, listTraits } from './traits.ts';

const spec = loadSpec('openapi.yaml');
const baseUrl = 'https://target.invalid';
const seconds = (text: string): number => Date.parse(text) / 1000;
const times = {
  now: seconds('2024-04-20T15:32:20Z'),
  births: new Map([[1, seconds('2023-11-27')]]),
  phase: 345_600,
};

function requested(interval: string, from: string, to: string, more = ''): Requested {
  const query = `from=${seconds(from)}&to=${seconds(to)}&interval=${interval}${more}`;
  const url = `${baseUrl}/v2/pools/conversionRates/1?${query}`;
  const found = recognizeRequest(spec, baseUrl, { method: 'GET', url, headers: [], credential: 'none' });
  if (!found) throw new Error(`${url} is no request of the document`);
  return found;
}

test('a range is of the kinds that its width, its ends and the calendar make it', () => {
  expect(listTraits(requested('HOUR', '2024-02-28T23:59:59Z', '2024-03-12T00:30:00Z'), times)).toEqual({
    series: ['history HOUR', 'inverted left out', 'pool 1'],
    form: ['width 250', 'from a second before', 'to at five minutes'],
    place: ['across leap day', 'across month', 'across American clocks', 'age 2'],
  });
});

test('weeks are aligned as the target cuts them, and rows before birth or after now are none', () => {
  const { form, place } = listTraits(requested('WEEK', '2022-01-03', '2024-04-22'), times);
  expect(form).toEqual(['width 12', 'from on a boundary', 'to on a boundary']);
  expect(place).toEqual(expect.arrayContaining(['across birth', 'reaches the present']));
  const unborn = listTraits(requested('WEEK', '2022-01-03', '2022-04-22'), times);
  expect(unborn).toEqual({ series: [], form: [], place: ['history WEEK before birth'] });
});

test('two sides show something together over one range alone, an interval and its parts wherever they overlap', () => {
  const days = requested('DAY', '2024-02-25', '2024-03-05');
  const turned = requested('DAY', '2024-02-25', '2024-03-05', '&inverted=true');
  const later = requested('DAY', '2024-02-26', '2024-03-05', '&inverted=true');
  const hours = requested('HOUR', '2024-02-28T12:00:00Z', '2024-03-20');
  expect(listRelations(days, turned, times).alone).toEqual(['history DAY on both sides']);
  expect(listRelations(days, later, times).alone).toEqual([]);
  expect(listRelations(days, hours, times)).toEqual({
    alone: ['DAY and HOUR'],
    inPlace: [
      'DAY and HOUR of 1, inverted left out',
      'DAY and HOUR across leap day',
      'DAY and HOUR across month',
    ],
  });
  expect(listRelations(turned, hours, times).alone).toEqual([]);
});
