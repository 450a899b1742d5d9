import type { ApiRequest } from '../api/message.ts';
import { INTERVALS } from '../market/interval.ts';
import type { Fault } from './fault.ts';

export const intervalFaults: readonly Fault[] = [
  {
    id: 'unknown-interval-is-hour',
    number: 'F23',
    class: 'enum',
    title: 'an interval that is missing, unknown or in lower case is taken for HOUR',
    breaks: ['errors/no-rows-without-an-interval'],
    alters: ['errors/catalogue'],
    shows: 'one check',
    make: () => ({ request: fallenBack }),
  },
  {
    id: 'days-are-hours',
    number: 'F24',
    class: 'enum',
    title: 'DAY histories hold hours',
    breaks: ['candle/closed-lasts-its-interval'],
    shows: 'one check',
    make: () => ({
      question: (question, { operation }) =>
        operation === 'listV2PoolCandles' && question.interval === 'DAY'
          ? { ...question, interval: 'HOUR' }
          : question,
    }),
  },
];

function fallenBack(request: ApiRequest): ApiRequest {
  const [path = '', search = ''] = request.target.split('?');
  const query = new URLSearchParams(search);
  if (INTERVALS.some((each) => each === query.get('interval'))) return request;
  query.set('interval', 'HOUR');
  return { ...request, target: `${path}?${query}` };
}
