import { join } from 'node:path';
import { readPort, readTime } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { makeOutputFolder } from '@candleproof/files/write-files';
import { makeVisible } from '@candleproof/reports/words/escape';
import { publishSite } from '@candleproof/site/publishing/publish-site';
import { SiteFolder } from '@candleproof/site/publishing/site-folder';
import type { Command } from 'commander';
import { readResults } from '../database/read-results.ts';
import { option } from '../running/options.ts';
import { serveSite } from '../serving/serve-site.ts';

type PublishFlags = {
  readonly site: string;
  readonly now?: number;
  readonly allExchanges?: boolean;
  readonly results?: string;
  readonly address?: URL;
  readonly serve?: boolean;
  readonly port: number;
};

/** Adds the command `publish` to the program. */
export function registerPublish(program: Command): void {
  program
    .command('publish [runs...]')
    .description(
      'add runs, loads, monitored months and kill matrices to a static site; see docs/publishing.md',
    )
    .requiredOption('--site <dir>', 'folder of the site')
    .option(
      '--results <url|file>',
      'add the monitored months of a PostgreSQL: its URL without a password, or a file that holds the URL',
    )
    .addOption(
      option(
        '--address <url>',
        'where the site is served, so that a link to it shows a picture',
        readAddress,
      ),
    )
    .option('--all-exchanges', 'keep every exchange, not only those of findings')
    .addOption(
      option(
        '--now <iso>',
        'instant that the site is reported as of',
        (...given) => readTime(...given) * 1000,
      ),
    )
    .option('--serve', 'show the site on this machine until stopped')
    .addOption(option('--port <n>', 'port of --serve, 0 for any', readPort, 8080))
    .action(publish);
}

function readAddress(text: string, flag: string): URL {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`);
  if (url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '')
    return url;
  throw new UsageError(
    `${flag}: ${JSON.stringify(text)} is no address of a site: give one such as https://data.example/candles/`,
  );
}

/** Begun by a call that may have been broken off. */
function isSite(folder: SiteFolder): boolean {
  return folder.has('api/schema.json');
}

async function publish(runs: readonly string[], flags: PublishFlags): Promise<void> {
  const { site, now = Date.now(), allExchanges = false, results, address: at, serve, port } = flags;
  const address = readResults(results, {}, undefined);
  const folder = new SiteFolder(site);
  if (runs.length === 0 && !address && !folder.has('api/index.json'))
    throw new UsageError(`--site: ${site} holds no site yet: name the folder of a check to begin it`);
  if (folder.has('index.html') && !isSite(folder))
    throw new UsageError(
      `--site: ${site} holds an index.html that is no site's: name another folder, or move that file away`,
    );
  makeOutputFolder(site, '--site');
  await publishSite(runs, folder, { now, all: allExchanges, address: at, results: address });
  for (const [path, wrong] of folder.bad)
    process.stderr.write(
      `candleproof: --site: ${makeVisible(join(site, path))}: ${makeVisible(wrong)}; it is left out: publish it again, or take it away\n`,
    );
  process.stdout.write(`site: ${site}, ${folder.written} files written\n`);
  if (serve) await serveSite(site, port);
}
