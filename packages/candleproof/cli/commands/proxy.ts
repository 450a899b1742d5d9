import { readPort, readTimeout, readWholeNumber } from '@candleproof/files/read-numbers';
import { type ProxyLimits, usualLimits } from '@candleproof/proxy/forwarding/limits';
import type { Command, Option } from 'commander';
import { type ProxyFlags, readProxyJob } from '../proxying/proxy-job.ts';
import { proxyUntilStopped } from '../proxying/proxy-until-stopped.ts';
import { forceFlag } from '../running/file-option.ts';
import { addLawFlags, headings, option, outFlag, timeoutOption } from '../running/options.ts';
import { keepYoungSpaceSmall } from '../running/young-space.ts';
import { readyFileOption } from '../serving/announcement.ts';
import { addPoolFlags } from '../target/target-flags.ts';

/** Adds the command `proxy` to the program. */
export function registerProxy(program: Command): void {
  const command = program
    .command('proxy')
    .description(
      'passes traffic to an upstream unchanged and judges it, at no cost in quota; see docs/proxy.md',
    )
    .optionsGroup(headings.target)
    .requiredOption('--upstream <url>', 'the API behind it: https, or http on loopback')
    .option('--ca-file <file>', 'PEM of an authority that signed the certificate of the upstream');
  addPoolFlags(command)
    .option('--keyless', 'the upstream needs no key')
    .optionsGroup(headings.listening)
    .addOption(option('--port <n>', 'port to listen on, 0 for any that is free', readPort, 8444))
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--cert <file>', 'PEM of a certificate; one for loopback is made when none is given')
    .option('--key <file>', 'PEM of its private key')
    .option('--http', 'listen without TLS, on loopback alone')
    .addOption(
      option('--metrics-port <n>', 'a second port, plain and on loopback: /metrics, /healthz', readPort),
    );
  addLawFlags(command).optionsGroup('What clients may take:').addOption(timeoutOption(60_000));
  for (const [flags, limit, means] of limitFlags) command.addOption(limitOption(flags, limit, means));
  command
    .optionsGroup(headings.written)
    .addOption(option('--every <minutes>', 'write the reports so often, beside at the end', readWholeNumber))
    .option(...outFlag)
    .option('--ledger [place]', 'book the counters that pass; without a folder or URL where check books')
    .option(...forceFlag)
    .optionsGroup(headings.scripts)
    .addOption(readyFileOption('url, caFile, upstream, metricsUrl, pid'))
    .action(async (flags: ProxyFlags) => {
      // With less the judge's thread collects more often, and judges less of the traffic.
      keepYoungSpaceSmall({ threadMb: 8 });
      await proxyUntilStopped(await readProxyJob(flags, process.env));
    });
}

const limitFlags: readonly (readonly [flags: string, limit: keyof ProxyLimits, means: string])[] = [
  ['--max-clients <n>', 'clients', 'connections of clients, half of them of one address'],
  ['--max-client-requests <n>', 'clientRequests', 'requests of one address at the upstream; more wait'],
  [
    '--max-requests <n>',
    'requests',
    'requests in all, those that wait included, half of one address; more get 503',
  ],
  ['--max-upstream <n>', 'upstream', 'connections to the upstream; requests wait for one'],
  ['--idle-timeout <ms>', 'idleMs', 'longest time in which nothing moves on a connection'],
  ['--header-timeout <ms>', 'headerMs', 'longest time for the head of a request'],
];

function limitOption(flags: string, limit: keyof ProxyLimits, means: string): Option {
  return option(flags, means, flags.endsWith('<ms>') ? readTimeout : readWholeNumber, usualLimits[limit]);
}
