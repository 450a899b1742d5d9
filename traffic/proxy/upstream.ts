import { type Agent, type ClientRequest, Agent as PlainAgent, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { Agents } from '../../http/send/agents.ts';
import { type BaseUrl, isLoopback, parseBaseUrl } from '../../http/send/base-url.ts';
import { ClientError } from '../../http/send/client-error.ts';
import { type ProxyEnvironment, proxyFor } from '../../http/send/proxy.ts';

export type UpstreamOptions = {
  /** https, or http on loopback; without a trailing slash. */
  readonly baseUrl: string;
  /** PEM of an authority to trust besides those that Node trusts. */
  readonly ca?: string | undefined;
  /** Where HTTPS_PROXY and NO_PROXY are read. */
  readonly proxyEnv?: ProxyEnvironment | undefined;
};

/** What a request says on its first line and in its headers. */
export type Head = { readonly method: string; readonly path: string; readonly lines: readonly string[] };

/** Longer header lines are refused in both directions, in bytes. */
export const mostHeaderBytes = 64 * 1024;

/** The service behind the proxy, over a pool of kept connections. */
export class Upstream {
  readonly base: BaseUrl;
  readonly #isPlain: boolean;
  readonly #agents: Agents | undefined;
  readonly #agent: Promise<Agent>;

  /** @throws ClientError for a base URL or an authority that cannot work */
  constructor({ baseUrl, ca, proxyEnv }: UpstreamOptions) {
    this.#isPlain = baseUrl.startsWith('http:') && isLoopback(baseUrl);
    this.base = this.#isPlain ? plainBase(baseUrl) : parseBaseUrl(baseUrl);
    if (this.#isPlain) {
      this.#agent = Promise.resolve(new PlainAgent({ keepAlive: true, timeout: idleMs }));
      return;
    }
    this.#agents = new Agents({ target: this.base, ca, proxy: proxyEnv && proxyFor(this.base, proxyEnv) });
    this.#agent = this.#agents.pooled();
  }

  /** Over https it is made once; nothing is opened before a request needs it. */
  async ready(): Promise<(head: Head) => ClientRequest> {
    const agent = await this.#agent;
    return ({ method, path, lines }) => {
      const { hostname, port, pathPrefix } = this.base;
      const send = this.#isPlain ? requestPlainly : requestSecurely;
      const request = send({
        agent,
        protocol: this.#isPlain ? 'http:' : 'https:',
        hostname,
        port,
        method,
        path: `${pathPrefix}${path}`,
        headers: [...lines],
        setHost: false,
        maxHeaderSize: mostHeaderBytes,
      });
      // Size is what bounds headers; the count would drop lines silently.
      request.maxHeadersCount = 0;
      return request;
    };
  }

  async close(): Promise<void> {
    await this.#agents?.close();
    (await this.#agent).destroy();
  }
}

/** Many servers close an idle connection after 5 s; ours are gone before. */
const idleMs = 4000;

function plainBase(baseUrl: string): BaseUrl {
  const url = new URL(baseUrl);
  if (url.search || url.hash || url.username || url.password)
    throw new ClientError('The base URL holds more than host and path: take off the rest.');
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 80 : Number(url.port),
    host: url.host,
    origin: url.origin,
    pathPrefix: url.pathname.replace(/\/+$/, ''),
  };
}
