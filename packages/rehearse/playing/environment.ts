import { join } from 'node:path';
import { getCACertificates, rootCertificates } from 'node:tls';
import { writeFiles } from '@candleproof/files/write-files';
import type { RunningService } from '@candleproof/reference-service/start';

/** Files that make a client trust the double: its authority alone, and together with the system's authorities. */
export type TrustFiles = { readonly caFile: string; readonly bundleFile: string };

const names = { ca: 'ca.pem', bundle: 'ca-bundle.pem' } as const;

/** Variables that could direct a client to another target than the double. */
const others = [
  'CANDLEPROOF_API_KEY_FILE',
  'CANDLEPROOF_CA_FILE',
  'CANDLEPROOF_TARGET',
  'CANDLEPROOF_KEYLESS',
];

/** Writes both files into `folder`. Throws UnwritableFile. */
export function writeTrust(folder: string, caPem: string): TrustFiles {
  const system = getCACertificates('system');
  const trusted = system.length > 0 ? system : rootCertificates;
  writeFiles(folder, { [names.ca]: caPem, [names.bundle]: `${[...trusted, caPem].join('\n')}\n` });
  return { caFile: join(folder, names.ca), bundleFile: join(folder, names.bundle) };
}

/** Returns the client's environment: ours, with the double as target and no proxy for loopback. */
export function clientEnvironment(
  { url, apiKey, poolsV1, poolsV2 }: RunningService,
  { caFile, bundleFile }: TrustFiles,
): NodeJS.ProcessEnv {
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.includes(name)));
  const direct = [process.env.NO_PROXY ?? process.env.no_proxy, '127.0.0.1', 'localhost']
    .filter(Boolean)
    .join(',');
  return {
    ...rest,
    CANDLEPROOF_BASE_URL: url,
    CANDLEPROOF_API_KEY: apiKey,
    CANDLEPROOF_POOLS_V1: poolsV1.join(','),
    CANDLEPROOF_POOLS_V2: poolsV2.join(','),
    NODE_EXTRA_CA_CERTS: caFile,
    SSL_CERT_FILE: bundleFile,
    REQUESTS_CA_BUNDLE: bundleFile,
    NO_PROXY: direct,
    no_proxy: direct,
  };
}
