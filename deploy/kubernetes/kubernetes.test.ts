import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parseAllDocuments } from 'yaml';

const text = readFileSync(join('deploy', 'kubernetes', 'candleproof.yaml'), 'utf8');
const manifests = parseAllDocuments(text).map((document) => document.toJS());
const ofKind = (kind: string, name = 'candleproof') =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
const pods = [
  ofKind('Deployment').spec.template.spec,
  ofKind('StatefulSet', 'candleproof-monitor').spec.template.spec,
  ofKind('CronJob', 'candleproof-check').spec.jobTemplate.spec.template.spec,
];
const candleproof = (...args: string[]) =>
  spawnSync(process.execPath, ['packages/candleproof/cli/candleproof.js', ...args], { encoding: 'utf8' });

const decoder = join(process.env.GOPATH || join(homedir(), 'go'), 'bin', 'kubernetes-decode');

test("Kubernetes' own types take every manifest, and not one with a misspelt field", () => {
  test.skip(!existsSync(decoder), 'needs what Go builds of deploy/kubernetes/decode in its bin folder');
  const decoded = (input: string) => spawnSync(decoder, { input, encoding: 'utf8' });
  const { stdout, stderr } = decoded(text);
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual(manifests.map((manifest) => manifest.kind));
  expect(decoded(text.replace('minAvailable', 'minAvailible')).stderr).toContain('"spec.minAvailible"');
});

for (const { containers, volumes, securityContext, automountServiceAccountToken } of pods) {
  const [{ name, args, volumeMounts, securityContext: context }] = containers;

  test(`the pod of the ${name} is unprivileged, with a read-only root and existing mounts`, () => {
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(context).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(automountServiceAccountToken).toBe(false);
    const claimed = name === 'monitor' ? ['data'] : [];
    const had = [...claimed, ...volumes.map((volume: { name: string }) => volume.name)];
    expect(volumeMounts.map((mount: { name: string }) => mount.name).sort()).toEqual(had.sort());
  });

  test(`the command of the ${name} is one that candleproof understands`, () => {
    const [command = '', ...flags]: string[] = args;
    const { status, stdout } = candleproof(command, '--help', 'all');
    expect(status).toBe(0);
    for (const flag of flags.filter((flag) => flag.startsWith('--')))
      expect(stdout).toContain(`${flag.split('=')[0]} <`);
  });
}

test('a drain leaves as many services as the disruption budget requires', () => {
  const { minAvailable, selector } = ofKind('PodDisruptionBudget').spec;
  const { replicas, template, strategy } = ofKind('Deployment').spec;
  expect(minAvailable).toBeLessThan(replicas);
  expect(strategy.rollingUpdate.maxUnavailable).toBe(0);
  expect(selector.matchLabels).toEqual(template.metadata.labels);
  expect(ofKind('Service').spec.selector).toEqual(template.metadata.labels);
});

test('the config of monitor and check is valid for mounted files and open ports', () => {
  const config = test.info().outputPath('candleproof.yaml');
  writeFileSync(config, ofKind('ConfigMap').data['candleproof.yaml']);
  // Sound but for the secrets, which are in the cluster alone.
  expect(candleproof('plan', 'service', '--config', config).stderr.trim()).toMatch(
    /^candleproof: .*\/target\/(api-key|ca\.pem): there is no such file/,
  );
  expect(readFileSync(config, 'utf8')).toContain(
    `listen: 0.0.0.0:${ofKind('StatefulSet', 'candleproof-monitor').spec.template.spec.containers[0].ports[0].containerPort}`,
  );
});

test('images have a version and the metrics port is open to Prometheus only', () => {
  const { version } = JSON.parse(readFileSync('packages/candleproof/package.json', 'utf8'));
  for (const { containers } of pods) expect(containers[0].image).toBe(`candleproof:${version}`);
  const { podSelector, ingress } = ofKind('NetworkPolicy', 'candleproof-monitor').spec;
  expect(podSelector).toEqual(ofKind('StatefulSet', 'candleproof-monitor').spec.selector);
  expect(ingress).toHaveLength(1);
  expect(ingress[0].from[0].podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'prometheus' });
  expect(ofKind('NetworkPolicy').spec.podSelector).toEqual(ofKind('Deployment').spec.selector);
});
