import type { Finding, FindingRequest, Run } from '../../contract/judge/verdict.ts';

/** The key header of our own document. */
const ourKeyHeader = 'x-api-key';

/** Double quotes let the shell put the key in. The name may come from a stranger's run: it keeps no sign of the shell's. */
function keyLine(header: string, prefix: string): string {
  const before = prefix.replace(/[^a-z0-9 -]/gi, '');
  return `-H "${header.replace(/[^a-z0-9-]/gi, '')}: ${before}$CANDLEPROOF_API_KEY"`;
}

/** The key in a query, as records show it. */
const keyInQuery = '=[redacted:api-key]';

/**
 * One line for any shell for each request that a finding shows, each request once. Addresses come from the target or
 * from a stranger's recording: none of their signs is left to the shell. A key that was wrong on purpose is in no record:
 * such a request can only be named.
 */
export function curlLines(
  { examples }: Pick<Finding, 'examples'>,
  { target }: Pick<Run, 'target'>,
): string[] {
  const lines = examples.flatMap(({ request }) => (request ? curlLine(request, target) : []));
  return [...new Set(lines)];
}

function curlLine(
  request: FindingRequest,
  { ownAuthority, keyHeader = ourKeyHeader, keyPrefix = '' }: Run['target'],
): string[] {
  const { method, credential, ifNoneMatch } = request;
  const url = bareAddress(request.url);
  if (url === undefined) return [];
  if (credential.startsWith('trial:')) return [`# ${method} ${url} with the key ${credential.slice(6)}`];
  const isOurs = credential === 'api-key' || credential === 'unknown';
  return [
    [
      'curl --globoff --include',
      ...(method === 'GET' ? [] : [`--request ${quoted(method)}`]),
      ...(isOurs && !url.includes(keyInQuery) ? [keyLine(keyHeader, keyPrefix)] : []),
      ...(ifNoneMatch === undefined ? [] : [`-H ${quoted(`if-none-match: ${ifNoneMatch}`)}`]),
      ...(ownAuthority ? ['--cacert "$CANDLEPROOF_CA_FILE"'] : []),
      url.split(keyInQuery).map(quoted).join('="$CANDLEPROOF_API_KEY"'),
    ].join(' '),
  ];
}

/** In ASCII, without what may name somebody. A backtick would end the code that the line stands in. */
function bareAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href.replaceAll('`', '%60').replaceAll('|', '%7C');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
