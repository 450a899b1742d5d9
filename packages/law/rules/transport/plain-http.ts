import { isRecordLike } from '@candleproof/document/spec/operation';
import { type Answer, headersNamed } from '../../reading/reading.ts';
import { answerCheck } from '../checks.ts';
import { overPlainHttp } from '../refusal-needs.ts';
import type { Rule } from '../rule.ts';

/** Failures of a host without a listener, or with one that does not speak plain HTTP: both are correct. */
const checkNoData = answerCheck(
  ({ plainHttp }) => plainHttp,
  'status',
  ({ status = 0, exchange, success, records, body, isList }, { spec }) => {
    if (exchange.failure?.kind === 'unreachable') return { undecided: exchange.failure.message };
    if (success && (isList || records.some((record) => isRecordLike(spec, record)))) {
      const actual = `status ${status} with ${records.length === 0 ? 'an empty list' : 'records'}`;
      return { expected: 'no data over plain HTTP', actual };
    }
    if (success && !body) return { undecided: 'the recording does not hold what came over plain HTTP' };
    if (status < 200 || status > 299) return 'holds';
    return { undecided: `plain HTTP is answered ${status} with something else than data` };
  },
);

const checkRedirect = answerCheck(
  ({ plainHttp }) => plainHttp,
  'header:location',
  (answer) => {
    const { status = 0 } = answer;
    if (status < 300 || status > 399) return { undecided: 'plain HTTP is not redirected', dead: true };
    const locations = headersNamed(answer, 'location');
    if (!locations) return undefined;
    const [location] = locations;
    return leadsToHttps(answer, location ?? '')
      ? 'holds'
      : { expected: 'an https address of the same host', actual: location ?? 'no such header' };
  },
);

function leadsToHttps({ exchange: { request } }: Answer, location: string): boolean {
  const { hostname } = new URL(request.url);
  const target = URL.parse(location, request.url);
  return target?.protocol === 'https:' && target.hostname === hostname;
}

export const plainHttpRules: readonly Rule[] = [
  {
    id: 'transport/no-data-over-plain-http',
    shows: 'let in',
    consequence: 'access',
    section: '5',
    level: 'must',
    uses: ['key'],
    restsOnOurs: true,
    statement: 'Plain HTTP never returns data.',
    broken: 'Plain HTTP returns data',
    why: 'Everyone along the way can read a key that is sent over it.',
    exactly:
      'no success whose body is a list, or holds a token or a candle. No answer, a redirect and a refusal are all correct; a 2xx with any other body is left undecided.',
    restsOn: ['server'],
    needs: [overPlainHttp],
    check: checkNoData,
  },
  {
    id: 'transport/plain-http-leads-to-https',
    shows: 'led elsewhere',
    section: '5',
    level: 'should',
    statement: 'Where plain HTTP redirects, it redirects to the same host over HTTPS.',
    broken: 'Plain HTTP does not redirect to HTTPS on the same host',
    why: 'A client that follows it anywhere else takes its key along.',
    exactly: 'Location of a 3xx is https on the same host.',
    restsOn: ['server'],
    needs: [overPlainHttp],
    check: checkRedirect,
  },
];
