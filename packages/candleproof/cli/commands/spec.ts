import { listWarnings, readSpec } from '@candleproof/check/target/accepted-spec';
import { documentFiles } from '@candleproof/check/target/target';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import { type TriedDocument, tryDocument } from '@candleproof/check/target/try-document';
import { SpecError } from '@candleproof/document/spec/spec';
import { UsageError } from '@candleproof/files/usage-error';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { explainDocument } from '@candleproof/law/rules/understanding';
import { makeVisible } from '@candleproof/reports/words/escape';
import type { Command } from 'commander';
import { findLedger } from '../database/read-ledger.ts';
import { overageFlag } from '../running/options.ts';
import { withServer } from '../target/document-server.ts';
import { readTarget } from '../target/read-target.ts';
import { overlayOption, poolsOption } from '../target/target-flags.ts';
import { renderDocument, renderTriedDocument } from '../words/document.ts';
import { jsonFlag, type PrintFlags, printJson, printText, warnUnbooked } from '../words/output.ts';

type SpecFlags = PrintFlags &
  Pick<TargetDescription, 'overlay' | 'pools' | 'apiKeyFile' | 'caFile'> & {
    /** The address to try, or true for the document's server. */
    readonly try?: string | true;
    readonly allowOverage?: boolean;
  };

/** Longest wait for the answer, in ms. */
const timeout = 10_000;

/** Adds the command `spec` to the program. */
export function registerSpec(program: Command, exit: (code: number) => void): void {
  program
    .command('spec <document>')
    .description(
      'what of an OpenAPI document is understood and can be judged; a file or a name of the gallery',
    )
    .addOption(overlayOption())
    .option('--try [url]', "send one request and read its rows; to the document's first server without a URL")
    .addOption(poolsOption())
    .option('--api-key-file <file>', 'file that holds the API key (or CANDLEPROOF_API_KEY)')
    .option('--ca-file <file>', 'PEM of an authority to trust besides the public ones')
    .option(...overageFlag)
    .option(...jsonFlag)
    .action(async (named: string, flags: SpecFlags) => {
      try {
        exit(await explain(named, flags));
      } catch (error) {
        if (!(error instanceof SpecError)) throw error;
        for (const mistake of error.mistakes) process.stderr.write(`candleproof: ${makeVisible(mistake)}\n`);
        exit(2);
      }
    });
}

async function explain(named: string, flags: SpecFlags): Promise<number> {
  const spec = readSpec(documentFiles(named, flags.overlay));
  const warnings = await listWarnings(spec);
  const understanding = explainDocument(spec, catalogue);
  printText(renderDocument(spec.file, understanding, warnings), flags);
  const tried = flags.try === undefined ? undefined : await tryServer(named, flags);
  if (tried) printText(renderTriedDocument(tried), flags);
  printJson(flags, { file: spec.file, ...understanding, warnings, tried });
  const isRead = !tried || (tried.rows > 0 && tried.starts === tried.rows && tried.prices === tried.rows);
  return isRead ? 0 : 2;
}

async function tryServer(
  named: string,
  { try: address, overlay, pools, apiKeyFile, caFile, allowOverage }: SpecFlags,
): Promise<TriedDocument> {
  const described: TargetDescription = {
    spec: named,
    overlay,
    pools,
    apiKeyFile,
    caFile,
    ...(typeof address === 'string' && { baseUrl: address }),
  };
  const flags = withServer(undefined, described, '--try');
  if (flags.baseUrl === undefined)
    throw new UsageError('--try: the document names no server: give its URL here');
  const target = readTarget(undefined, flags, process.env, { addressFlag: '--try' });
  if (target.kind === 'local') throw new UsageError('--try: give the URL of a server');
  const booking = { ledger: findLedger(target, process.env), onUnbooked: warnUnbooked, allowOverage };
  return tryDocument(target, { timeout, budget: 1, ...booking });
}
