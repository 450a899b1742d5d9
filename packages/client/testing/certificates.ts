import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

export type Identity = { readonly cert: string; readonly key: string };

export type Authority = {
  /** PEM for clients to trust explicitly. */
  readonly ca: string;
  /** Makes a server's certificate for these names, valid for an hour before and after now by default. */
  readonly certify: (names: { dns?: string[]; ip?: string[]; notAfter?: Date }) => Promise<Identity>;
};

type KeyPair = Awaited<ReturnType<typeof newKeys>>;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;

/** Makes a new authority that no client trusts by default. */
export async function createAuthority(): Promise<Authority> {
  cryptoProvider.set(crypto);
  const keys = await newKeys();
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Throw-away authority',
    keys,
    signingAlgorithm: ALGORITHM,
    ...validityAround(new Date(Date.now() + HOUR_MS)),
    extensions: [new BasicConstraintsExtension(true, 1, true)],
  });
  return { ca: root.toString('pem'), certify: (names) => certify(root, keys.privateKey, names) };
}

async function certify(
  root: X509Certificate,
  signingKey: KeyPair['privateKey'],
  { dns = [], ip = [], notAfter = new Date(Date.now() + HOUR_MS) }: Parameters<Authority['certify']>[0],
): Promise<Identity> {
  const keys = await newKeys();
  const names = [
    ...dns.map((value) => ({ type: 'dns' as const, value })),
    ...ip.map((value) => ({ type: 'ip' as const, value })),
  ];
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=Throw-away server',
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    ...validityAround(notAfter),
    extensions: [new SubjectAlternativeNameExtension(names)],
  });
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: PemConverter.encode(pkcs8, 'PRIVATE KEY') };
}

function newKeys() {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function validityAround(notAfter: Date): { notBefore: Date; notAfter: Date; serialNumber: string } {
  const serialNumber = `01${Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')}`;
  return { notBefore: new Date(notAfter.getTime() - 2 * HOUR_MS), notAfter, serialNumber };
}
