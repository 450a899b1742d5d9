import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerOnly, restrictToOwner, writeFiles } from '@candleproof/files/write-files';
import type { Extension, X509Certificate as Issued } from '@peculiar/x509';

/** A server's certificate and key, and the authority that signed it (PEM). */
export type ServerCertificate = { readonly certPem: string; readonly keyPem: string; readonly caPem: string };

type X509 = typeof import('@peculiar/x509');
type KeyPair = webcrypto.CryptoKeyPair;

const DAY = 86_400_000;
const LIFETIME = 90 * DAY;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const FILES = { caPem: 'ca.pem', certPem: 'server.pem', keyPem: 'server-key.pem' } as const;

/**
 * Returns the certificate in `folder` if it is valid for another day, or else creates one with a new authority there.
 * The authority's private key is discarded; the files are readable by their owner only. Throws UnwritableFile.
 */
export async function loadOrCreateCertificate(folder: string): Promise<ServerCertificate> {
  const stored = readStored(folder);
  if (stored) {
    for (const name of Object.values(FILES)) restrictToOwner(join(folder, name));
    return stored;
  }
  const fresh = await createCertificate();
  const files = { [FILES.keyPem]: fresh.keyPem, [FILES.certPem]: fresh.certPem, [FILES.caPem]: fresh.caPem };
  writeFiles(folder, files, ownerOnly);
  return fresh;
}

/** Creates an authority and a server certificate signed by it for the loopback names (P-256). */
export async function createCertificate(): Promise<ServerCertificate> {
  // Loaded here, because a start with a stored certificate does not need it.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const authority = await generateKeys();
  const server = await generateKeys();
  const ca = await authorityCertificate(x509, authority);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(),
    subject: 'CN=localhost',
    issuer: ca.subject,
    publicKey: server.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      ...serverExtensions(x509),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  return {
    certPem: certificate.toString('pem'),
    keyPem: await exportPrivateKey(server),
    caPem: ca.toString('pem'),
  };
}

async function authorityCertificate(x509: X509, keys: KeyPair): Promise<Issued> {
  const { keyCertSign, cRLSign } = x509.KeyUsageFlags;
  return x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: 'CN=Candleproof local authority',
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
}

function serverExtensions(x509: X509): Extension[] {
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension([
      { type: 'dns', value: 'localhost' },
      { type: 'ip', value: '127.0.0.1' },
      { type: 'ip', value: '::1' },
    ]),
  ];
}

function validity(): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - DAY), notAfter: new Date(Date.now() + LIFETIME) };
}

function generateKeys(): Promise<KeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function exportPrivateKey(keys: KeyPair): Promise<string> {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return createPrivateKey({ key: Buffer.from(bytes), format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
}

/** Reads the certificate in the folder; undefined if it is unreadable or unusable. */
function readStored(folder: string): ServerCertificate | undefined {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  try {
    const stored = { caPem: read(FILES.caPem), certPem: read(FILES.certPem), keyPem: read(FILES.keyPem) };
    return isUsable(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether it is valid for another day and all three match: two processes may have written at once. */
function isUsable({ caPem, certPem, keyPem }: ServerCertificate): boolean {
  const certificate = new X509Certificate(certPem);
  return (
    certificate.validToDate.getTime() > Date.now() + DAY &&
    certificate.checkPrivateKey(createPrivateKey(keyPem)) &&
    certificate.verify(new X509Certificate(caPem).publicKey)
  );
}
