import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from '@playwright/test';

/** A Chromium to launch; `env` if it brings libraries. */
export type BrowserChoice = {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function installedBrowser(): string | undefined {
  return [chromium.executablePath(), '/usr/bin/chromium'].find((path) => existsSync(path));
}

/** Returns whether there is a Chromium to launch; the packed one is only for Linux on x64. */
export function hasBrowser(): boolean {
  return installedBrowser() !== undefined || (process.platform === 'linux' && process.arch === 'x64');
}

/** Chooses Playwright's browser, else the system's, else the one in an npm package. */
export async function chooseBrowser(): Promise<BrowserChoice> {
  const installed = installedBrowser();
  return installed === undefined ? await packedBrowser() : { executablePath: installed, args: quiet };
}

/** Launches a Chromium of this machine; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, args, env } = await chooseBrowser();
  return await chromium.launch({ executablePath, args: [...args], ...(env && { env: { ...env } }) });
}

/** Unpacks the browser once per version, beside the packages, so that no stale copy is used. */
async function packedBrowser(): Promise<BrowserChoice> {
  const packageFolder = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..');
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const folder = join(packageFolder, '..', '..', '.cache', `chromium-${version}`);
  if (!existsSync(folder)) await unpack(folder);
  return {
    executablePath: join(folder, 'chromium'),
    args: [...quiet, '--no-zygote', '--font-render-hinting=none'],
    env: environment(folder),
  };
}

/**
 * Unpacks the package, which writes to the temporary folder and reuses files in it: so it gets an empty folder, which
 * is moved into place when complete. The environment variable makes it add its shared libraries.
 */
async function unpack(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}-`);
  const script = "import('@sparticuz/chromium').then((it) => it.default.executablePath())";
  const env = { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  await promisify(execFile)(process.execPath, ['-e', script], { cwd: import.meta.dirname, env });
  await writeFile(join(staging, 'fonts.conf'), fontSettings(folder));
  try {
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Returns font settings for this folder; the package's settings search folders of a serverless host. */
function fontSettings(folder: string): string {
  const places = `<dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir>`;
  return `<?xml version="1.0"?>\n<fontconfig>${places}</fontconfig>\n`;
}

/** Puts the browser's libraries first; its fonts are used only if the machine has none set up. */
function environment(folder: string): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return {
    ...Object.fromEntries(inherited),
    LD_LIBRARY_PATH: libraries,
    ...(!existsSync('/etc/fonts/fonts.conf') && { FONTCONFIG_FILE: join(folder, 'fonts.conf') }),
  };
}
