import { existsSync } from 'node:fs';
import { readAnswerUrl } from '@candleproof/check/target/request-once';
import { writeDraft } from '@candleproof/drafting/write-draft';
import type { NamedFile } from '@candleproof/files/named-file';
import { readNamedBytes } from '@candleproof/files/read-file';
import { quoteForShell } from '@candleproof/files/shell-word';
import { UsageError } from '@candleproof/files/usage-error';
import { judgeFiles } from '@candleproof/gate/gate';
import { renderGateTerminal } from '@candleproof/gate/page/gate-text';
import { readCloses } from '@candleproof/gate/read-closes';
import { sparkline } from '@candleproof/reports/words/terminal-text';
import type { Command } from 'commander';
import { type DraftLookFlags, draftLooked } from '../looking/draft-look.ts';
import { describeDraft } from '../looking/draft-words.ts';
import { lookAtDocument, wordsBeside } from '../looking/look-document.ts';
import { readLookKeys } from '../looking/look-keys.ts';
import { type LookedAnswer, requestAnswer } from '../looking/look-requests.ts';
import { renderDraft } from '../looking/prove-draft.ts';
import { FileOption, forceFlag } from '../running/file-option.ts';
import { headings, overageFlag } from '../running/options.ts';
import {
  jsonFlag,
  type PrintFlags,
  printJson,
  printLines,
  printText,
  terminalStyle,
  writeText,
} from '../words/output.ts';

type LookFlags = PrintFlags &
  Omit<DraftLookFlags, 'keys'> & {
    readonly write?: NamedFile;
    readonly url?: string;
    readonly spec?: string;
    readonly operation?: string;
  };

/** The largest answer in a file or on standard input. */
const mostBytes = 64 << 20;

/** Adds the command `look` to the program. */
export function registerLook(program: Command, exit: (code: number) => void): void {
  program
    .command('look [source]')
    .description(
      'one answer of any API: what its candles are taken for, whether they hold, and a document to check it by; a URL (one request, at most six with --settle), a file or -',
    )
    .optionsGroup('The document:')
    .addOption(new FileOption('--write <file>', 'write the drafted OpenAPI document, or the overlay, there'))
    .option(
      '--spec <document>',
      'draft an overlay with the roles of this OpenAPI document, which has none; the source, if there is one, decides',
    )
    .option('--operation <route>', 'the one operation of --spec that is drafted, such as /klines')
    .optionsGroup('The request:')
    .option('--url <url>', 'the URL that a file is the answer to')
    .option(
      '--settle',
      'send at most five more requests: for the edges of a range, the most rows of an answer, further intervals and a range without rows',
    )
    .option('--data <json>', 'the JSON body of a POST that only reads')
    .option('--pool <text>', 'the market in the URL, where nothing shows it')
    .option(
      '--api-key-file <file>',
      'file that holds the API key (or CANDLEPROOF_API_KEY); it goes into no document',
    )
    .option(
      '--key-header <name>',
      'the header that carries the key, such as X-Api-Key or "Authorization: Bearer"',
    )
    .option('--key-query <name>', 'the parameter of the query that carries the key')
    .option(
      '--header <line>',
      `a further header, 'NAME: text', repeatable; \${VARIABLE} at its end stands for a secret`,
      (line: string, before: readonly string[] = []) => [...before, line],
    )
    .option('--ca-file <file>', 'PEM of an authority to trust besides the public ones')
    .option(...overageFlag)
    .optionsGroup(headings.written)
    .option(...forceFlag)
    .option(...jsonFlag)
    .action(async (source: string | undefined, flags: LookFlags) => exit(await look(source, flags)));
}

async function look(source: string | undefined, given: LookFlags): Promise<number> {
  if (source === undefined) {
    if (given.spec === undefined)
      throw new UsageError(
        'look: give a URL, a file or - with an answer, or --spec with an OpenAPI document',
      );
    return lookAtDocument({ ...given, spec: given.spec });
  }
  const flags = { ...given, keys: readLookKeys(given, process.env) };
  const answer = /^https?:/.test(source)
    ? await requestAnswer(source, flags)
    : await readAnswer(source, flags);
  if (isDocument(answer.body))
    throw new UsageError(
      `look: ${answer.name} is an OpenAPI document: --spec ${quoteForShell(answer.name)} drafts an overlay with its roles`,
    );
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield answer.body;
  };
  const { now = Date.now() / 1000 } = answer;
  const words = wordsBeside(flags);
  const gated = await judgeFiles([{ file: answer.name, chunks: chunks() }], { gaps: 'observe', now });
  if (flags.spec !== undefined) {
    printLines(renderGateTerminal(gated, terminalStyle(words)), words);
    return lookAtDocument({ ...flags, spec: flags.spec }, answer);
  }
  const closes = await readCloses(chunks());
  const looked = answer.url && (await draftLooked(answer.url, answer, gated, flags));
  const { draft } = { ...looked };
  printLines(renderGateTerminal(gated, terminalStyle(words)), words);
  printText(
    ['', sparkline(closes, maxColumns), '', ...describeDraft(draft, answer, flags), ''].join('\n'),
    words,
  );
  if (draft && flags.write !== undefined) writeText(flags.write, renderDraft(draft));
  printJson(flags, {
    gated,
    ...(draft && {
      document: writeDraft(draft),
      guesses: draft.guesses,
      questions: draft.questions,
      missing: draft.missing,
    }),
  });
  if (gated.verdict === 'damaged') return 1;
  const isOpen = answer.url !== undefined && (!draft || draft.missing.length > 0);
  return gated.verdict === 'sound' && !isOpen ? 0 : 3;
}

const maxColumns = 60;

/** Returns whether a text begins as an OpenAPI document does, in YAML or JSON. */
function isDocument(body: Uint8Array): boolean {
  const beginning = Buffer.from(body.subarray(0, mostSeen)).toString();
  return /^\s*\{?\s*"?openapi"?\s*:\s*["']?3/m.test(beginning);
}

/** Bytes that show what a file is. */
const mostSeen = 4096;

/** Ends of names that are rather of files than of hosts. */
const fileName = /^[^/]*\.(json|ndjson|csv|tsv|txt|har|ya?ml|gz|zip|parquet)$/i;

/** Refuses what is rather an address without its scheme, or with one of no use, than a file. */
function refuseAddress(source: string): void {
  const [, scheme, rest] = /^(?:([a-z][a-z\d+.-]*):\/\/)?(.*)$/i.exec(source) ?? [];
  const isHost = /^(localhost|[a-z\d-]+(\.[a-z\d-]+)+)(:\d+|\/|$)/i.test(source) && !fileName.test(source);
  if (existsSync(source) || (scheme === undefined && !isHost)) return;
  throw new UsageError(
    `look: ${source}: ${scheme ? `it reads no ${scheme}` : 'there is no such file'}; of an address give https://${rest}, or http:// on loopback`,
  );
}

async function readAnswer(source: string, { url }: LookFlags): Promise<LookedAnswer> {
  const address = url === undefined ? {} : { url: readAnswerUrl(url) };
  if (source !== '-') {
    refuseAddress(source);
    return { name: source, body: readNamedBytes(source, 'look', mostBytes), ...address };
  }
  const parts: Buffer[] = [];
  let total = 0;
  for await (const part of process.stdin) {
    total += part.length;
    if (total > mostBytes)
      throw new UsageError(`look: standard input holds more than ${mostBytes} bytes; give a smaller one`);
    parts.push(part);
  }
  return { name: 'standard input', body: Buffer.concat(parts), ...address };
}
