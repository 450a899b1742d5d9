import { Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { openProxy } from '@candleproof/proxy/forwarding/proxy';
import { StreamingJudge } from '@candleproof/proxy/judging/streaming-judge';
import { createCertificate } from '@candleproof/reference-service/certificate';

/** The settings of a proxy process, and its message when it listens. */
export type Behind = { readonly kind: 'ours' | 'bare'; readonly upstream: string; readonly ca: string };
export type ListeningProxy = { readonly url: string; readonly ca: string };

/** Usage of the whole process with all threads; `cpu` is in µs. */
export type Figures = {
  readonly cpu: number;
  readonly rss: number;
  readonly seen: number;
  readonly judged: number;
  readonly findings: number;
};

let figures = (): Pick<Figures, 'seen' | 'judged' | 'findings'> => ({ seen: 0, judged: 0, findings: 0 });

async function serve({ kind, upstream, ca }: Behind): Promise<ListeningProxy> {
  const certificate = await createCertificate();
  if (kind === 'bare') return { url: await serveBare(upstream, ca, certificate), ca: certificate.caPem };
  // As the command does.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--min-semi-space-size=8');
  const target = { name: 'bench', baseUrl: upstream, pools: {}, keyless: false, soleUser: false };
  const judge = new StreamingJudge({ specFile: 'openapi.yaml', target });
  figures = () => {
    const { counts, findings } = judge.seen;
    return { seen: counts.seen, judged: counts.judged, findings: findings.all.length };
  };
  const options = { host: '127.0.0.1', port: 0, certificate, observer: judge, patienceMs: 10_000 };
  const { url } = await openProxy({ ...options, upstream: { baseUrl: upstream, ca } });
  return { url, ca: certificate.caPem };
}

/** As little as a proxy over TLS in Node can be. */
async function serveBare(
  upstream: string,
  ca: string,
  { certPem: cert, keyPem: key }: { certPem: string; keyPem: string },
): Promise<string> {
  const { hostname, port, host } = new URL(upstream);
  const agent = new Agent({ keepAlive: true, secureContext: createSecureContext({ ca }) });
  const server = createServer({ cert, key }, (incoming, response) => {
    const { method, url: path, headers } = incoming;
    const sent = request({ agent, hostname, port, method, path, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

if (process.send) {
  process.once('message', async (behind: Behind) => {
    process.send?.(await serve(behind));
    process.on('message', () => {
      const { user, system } = process.cpuUsage();
      const all: Figures = { cpu: user + system, rss: process.memoryUsage.rss(), ...figures() };
      process.send?.(all);
    });
  });
  process.once('disconnect', () => process.exit());
}
