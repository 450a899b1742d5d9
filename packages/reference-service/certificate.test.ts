import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadOrCreateCertificate } from './certificate.ts';

test('a stored certificate is reused until it is damaged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const first = await loadOrCreateCertificate(folder);
  expect(await loadOrCreateCertificate(folder)).toEqual(first);
  writeFileSync(join(folder, 'server.pem'), 'damaged');
  const second = await loadOrCreateCertificate(folder);
  expect(second.caPem).not.toBe(first.caPem);
  expect(new X509Certificate(second.certPem).verify(new X509Certificate(second.caPem).publicKey)).toBe(true);
  rmSync(folder, { recursive: true });
});
