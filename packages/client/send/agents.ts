import { X509Certificate } from 'node:crypto';
import { Agent as PlainAgent } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { BaseUrl } from './base-url.ts';
import { ClientError } from './failure.ts';

/** Many servers close an idle connection after 5 s; we close ours earlier, so that no request meets a closing one. */
const IDLE_MS = 4000;

/** Environment variables as a plain record; only those about proxies are read. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

export type ConnectionPlan = {
  readonly target: BaseUrl;
  /** PEM, or a context that several clients share. */
  readonly ca?: string | SecureContext | undefined;
  /** The variables that may name a proxy; by default, no proxy is used. */
  readonly proxyEnv?: ProxyEnvironment | undefined;
};

/** The connections of one client: a pool for reuse, and single ones for cold starts. */
export class Agents {
  readonly #target: BaseUrl;
  readonly #proxy: URL | undefined;
  readonly #options: AgentOptions;
  #pool: Promise<Agent | PlainAgent> | undefined;

  /** @throws ClientError if the CA is not PEM, or the proxy is not an http: or https: URL */
  constructor({ target, ca, proxyEnv }: ConnectionPlan) {
    this.#target = target;
    this.#proxy = proxyEnv && proxyFor(target, proxyEnv);
    // No session cache, since a resumed handshake is shorter and skips the certificate: cold connections would differ.
    const shared: AgentOptions = { ALPNProtocols: ['http/1.1'], maxCachedSessions: 0 };
    const secureContext = typeof ca === 'string' ? contextTrusting(ca) : ca;
    this.#options = secureContext === undefined ? shared : { ...shared, secureContext };
  }

  get proxied(): boolean {
    return this.#proxy !== undefined && !this.#target.isPlain;
  }

  pooledAgent(): Promise<Agent | PlainAgent> {
    this.#pool ??= this.#create({ keepAlive: true, timeout: IDLE_MS });
    return this.#pool;
  }

  singleUseAgent(): Promise<Agent | PlainAgent> {
    return this.#create({ keepAlive: false });
  }

  /** Returns an agent for one connection without TLS. */
  plain(): PlainAgent {
    return new PlainAgent({ keepAlive: false });
  }

  async close(): Promise<void> {
    (await this.#pool)?.destroy();
  }

  /** Loads the proxy's code only if needed, because it is slow to load. */
  async #create(extra: AgentOptions): Promise<Agent | PlainAgent> {
    if (this.#target.isPlain) return new PlainAgent(extra);
    const options = { ...this.#options, ...extra };
    if (this.#proxy === undefined) return new Agent(options);
    const { Tunnel } = await import('./tunnel.ts');
    return new Tunnel(this.#proxy, this.#target.hostname, options);
  }
}

/** The last trusted authority, which usually is the next client's too. */
let last: { readonly ca: string; readonly context: SecureContext } | undefined;

/**
 * Returns a context that trusts one more authority besides Node's. Made once per authority, because reading all roots
 * takes tens of milliseconds, which would slow down every handshake.
 * @param ca PEM of one or more certificates
 * @throws ClientError if it is not PEM
 */
export function contextTrusting(ca: string): SecureContext {
  if (last?.ca === ca) return last.context;
  try {
    new X509Certificate(ca);
    const context = createSecureContext({ ca: [...getCACertificates('default'), ca] });
    last = { ca, context };
    return context;
  } catch (error) {
    const wanted = 'The CA is no certificate in PEM form: give the text from BEGIN to END CERTIFICATE.';
    throw new ClientError(wanted, { cause: error });
  }
}

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
