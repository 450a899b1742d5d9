import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@candleproof/packaging/manifest';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';

const folder = join('deploy', 'container');
const { services } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true });
const candleproof = (...args: string[]) =>
  spawnSync(process.execPath, ['packages/candleproof/cli/candleproof.js', ...args], { encoding: 'utf8' });
const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');

test('the image runs as an unprivileged user and reports readiness', () => {
  const [, last = ''] = dockerfile.split(/^FROM node:24-slim$/m);
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('ENTRYPOINT'));
});

test('the image names its source, version and licence as the package does', () => {
  const { description, version, license } = JSON.parse(
    readFileSync('packages/candleproof/package.json', 'utf8'),
  );
  const labels = Object.fromEntries(
    [...dockerfile.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
  expect(labels).toEqual({
    title: 'Candleproof',
    description,
    version,
    licenses: license,
    source: repository,
  });
});

test('no secret gets into a layer by argument, variable or file', () => {
  expect(dockerfile).not.toMatch(/^ARG |--mount=type=secret/m);
  const variables = dockerfile.match(/CANDLEPROOF_\w+=/g) ?? [];
  expect(variables).toEqual(['CANDLEPROOF_CACHE=', 'CANDLEPROOF_STATE_DIR=', 'CANDLEPROOF_READY_URL=']);
  const left = readFileSync('.dockerignore', 'utf8').split('\n');
  for (const pattern of ['.git', '.candleproof', '.env*', '**/*.pem', '**/*.key', '/candleproof.yaml'])
    expect(left).toContain(pattern);
  const [, last = ''] = dockerfile.split(/^FROM node:24-slim$/m);
  expect(last.match(/^COPY .*$/gm)).toEqual([
    'COPY --from=build --chown=root:root /opt/candleproof /opt/candleproof',
  ]);
});

test('containers gain no rights, have a read-only root and publish ports on loopback only', () => {
  for (const service of Object.values<Record<string, unknown>>(services)) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    for (const port of (service.ports ?? []) as string[]) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(service.image).toMatch(/:v?\d+\.\d+\.\d+$/);
    expect(JSON.stringify(service)).not.toMatch(/privileged":true|docker\.sock|network_mode":"host/);
  }
});

for (const name of ['service', 'monitor']) {
  test(`${name} has a read-only root, no capabilities and a readiness file`, () => {
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], image: 'candleproof:0.2.0' });
    expect(services[name].environment.CANDLEPROOF_READY_URL).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/(readyz|healthz)$/,
    );
  });

  test(`the command of ${name} is one that candleproof understands`, () => {
    const [command = '', ...flags]: string[] = services[name].command;
    const { status, stdout } = candleproof(command, '--help', 'all');
    expect(status).toBe(0);
    for (const flag of flags.filter((flag) => flag.startsWith('--'))) expect(stdout).toContain(`${flag} <`);
  });
}

test("the monitor's config is a sound one, for the service's files and ports", () => {
  const config = join(folder, 'candleproof.yaml');
  const { stderr } = candleproof('plan', 'service', '--config', config);
  // Sound but for the service's files, which are in its volume alone.
  expect(stderr.trim()).toMatch(
    /^(candleproof: .*\/service\/service\/(api-key|ca\.pem): there is no such file.*)?$/,
  );
  const { targets, monitor } = parse(readFileSync(config, 'utf8'));
  expect(targets.service.baseUrl).toContain(':8443');
  expect(services.monitor.environment.CANDLEPROOF_READY_URL).toContain(monitor.listen.split(':')[1]);
});
