import type { BaseUrl } from './base-url.ts';
import { ClientError } from './failure.ts';

/** Environment variables as a plain record; only those about proxies are read. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy in HTTPS_PROXY, or else ALL_PROXY, for this target; undefined if there is none or NO_PROXY exempts
 * the target. Lower-case names win, as in curl. Existing libraries read only the process's environment.
 * @throws ClientError if the proxy is not an http: or https: URL
 */
export function proxyFor(target: BaseUrl, environment: ProxyEnvironment): URL | undefined {
  const read = (name: string): string => environment[name] || environment[name.toUpperCase()] || '';
  const named = read('https_proxy') || read('all_proxy');
  if (named === '' || isExempt(target, read('no_proxy'))) return undefined;
  const url = URL.parse(named.includes('://') ? named : `http://${named}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ClientError('HTTPS_PROXY names no http: or https: proxy: give a URL such as http://host:3128.');
  }
  return url;
}

/** Entries are split by commas or spaces: `*`, `host` (and all below), `.domain`, `*.domain`, with an optional port. */
function isExempt(target: BaseUrl, noProxy: string): boolean {
  const entries = noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((host) => host !== '');
  return entries.some((entry) => {
    if (entry === '*') return true;
    const [, host = entry, port] = /^(.+?|\[.+\]):(\d+)$/.exec(entry) ?? [];
    if (port !== undefined && Number(port) !== target.port) return false;
    const domain = host.replace(/^\*?\.|^\[|\]$/g, '');
    return target.hostname === domain || target.hostname.endsWith(`.${domain}`);
  });
}
